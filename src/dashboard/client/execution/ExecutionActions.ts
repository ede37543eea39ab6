import { h, type ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import type { ExecutionView } from "../../ExecutionView.ts"
import { useMay } from "../session/CurrentSession.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"
import { messageOf, post, remove } from "../elements/Http.ts"
import { navigate } from "../elements/Router.ts"
import { problemNote } from "../elements/Elements.ts"

interface ActionsProps {
  readonly view: ExecutionView
  readonly onChanged: (view: ExecutionView) => void
}

/** Actions on an execution: cancel it while it runs, erase its data. */
export const ExecutionActions = ({
  onChanged,
  view: { erasedAt, execution, steps }
}: ActionsProps): ComponentChildren => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const mayRun = useMay("operator")
  const mayErase = useMay("administrator")
  const path = `/executions/${execution.id}`
  const firstStep = steps.find((step) => !step.path.includes("."))?.path
  const cancel = () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    post<ExecutionView>(`${path}/cancel`)
      .then(onChanged, (failure: unknown) => setProblem(messageOf(failure)))
      .finally(() => setBusy(false))
  }
  const replay = () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    post<{ readonly executionId: string }>(
      `${path}/replay`,
      firstStep === undefined ? {} : { fromStep: firstStep }
    )
      .then(
        ({ executionId }) => navigate(`/dashboard/executions/${executionId}`),
        (failure: unknown) => setProblem(messageOf(failure))
      )
      .finally(() => setBusy(false))
  }
  const unfinished = execution.status === "pending" || execution.status === "running"
  return html`<div class="actions">
    ${unfinished && mayRun ? html`<button type="button" aria-disabled=${busy} onClick=${cancel}>Cancel</button>` : null}
    ${
      erasedAt === null && !unfinished && mayRun
        ? html`<button type="button" aria-disabled=${busy} onClick=${replay}>Run again</button>`
        : null
    }
    ${
      erasedAt === null && mayErase
        ? h(ConfirmButton, {
            action: "Erase",
            question: "Erase this execution?",
            consequence:
              "Its document, output, metadata and artifacts are deleted permanently; a running execution is cancelled first. Its charge stays in the ledger.",
            onConfirm: () => remove<ExecutionView>(path).then(onChanged)
          })
        : null
    }
    ${problemNote(problem)}
  </div>`
}
