import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import { useMay } from "../session/CurrentSession.ts"
import { loading, problemNote } from "../elements/Elements.ts"
import { messageOf, post } from "../elements/Http.ts"
import { navigate } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"

interface Waiting {
  readonly waiting: number
}

interface Next extends Waiting {
  readonly executionId: string | null
}

/** The number of an organization's documents that wait for review, and a link to the next one. */
export const ReviewPanel = ({ organizationId }: { readonly organizationId: string }): ComponentChildren => {
  const path = `/organizations/${organizationId}/reviews`
  const { data, problem } = useResource<Waiting>(path, () => 6_000)
  const [told, tell] = useState<string>()
  const mayReview = useMay("reviewer")
  const start = () => {
    post<Next>(`${path}/next`).then(
      ({ executionId }) =>
        executionId === null
          ? tell("Somebody else is looking at it, or it was just finished. Try again later.")
          : navigate(`/dashboard/executions/${executionId}`),
      (failure: unknown) => tell(messageOf(failure))
    )
  }
  if (data === undefined) return loading(problem)
  const { waiting } = data
  return html`<section class="card" aria-labelledby="review">
    <h2 id="review">Review</h2>
    ${problemNote(problem)}
    ${
      waiting === 0
        ? html`<p class="empty">
            Nothing waits for review. A document waits here if a field has a low confidence, or is required
            and has no value.
          </p>`
        : html`<p>
              ${waiting === 1 ? "1 document waits" : `${waiting} documents wait`} for a person, the oldest
              first.
            </p>
            ${
              mayReview
                ? html`<button type="button" class="primary" onClick=${start}>Start reviewing</button>`
                : html`<p class="quiet">Reviewing requires the role reviewer.</p>`
            }`
    }
    ${told === undefined ? null : html`<p class="note" role="status">${told}</p>`}
  </section>`
}
