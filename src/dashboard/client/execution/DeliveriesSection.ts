import { type ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Delivery, DeliveryAttempt } from "../../../domain/Delivery.ts"
import type { ExecutionView } from "../../ExecutionView.ts"
import { useMay } from "../session/CurrentSession.ts"
import { formatDuration } from "../elements/Format.ts"
import { ask, messageOf } from "../elements/Http.ts"
import { badge, problemNote, time } from "../elements/Elements.ts"
import { type Column, table } from "../elements/DataTable.ts"

interface NumberedAttempt extends DeliveryAttempt {
  readonly number: number
}

const columns: ReadonlyArray<Column<NumberedAttempt>> = [
  { title: "Attempt", cell: ({ number }) => number },
  { title: "When", cell: ({ at }) => time(at) },
  {
    title: "Answer",
    cell: ({ error, status }) => [status, error].filter((part) => part !== undefined).join(": ")
  },
  { title: "Took", cell: ({ durationMs }) => formatDuration(durationMs), numeric: true, optional: true }
]

interface DeliveriesProps {
  readonly view: ExecutionView
  readonly onChanged: () => void
}

/** The webhooks of an execution, with every attempt to send them. */
export const DeliveriesSection = ({
  onChanged,
  view: { deliveries, webhookUrl }
}: DeliveriesProps): ComponentChildren => {
  const [problem, setProblem] = useState<string>()
  const mayRedeliver = useMay("operator")
  const redeliver = (id: string) => {
    setProblem(undefined)
    ask("POST /api/admin/v1/deliveries/:id/redeliver", { id }).then(onChanged, (failure: unknown) =>
      setProblem(messageOf(failure))
    )
  }
  return html`<section class="card" aria-labelledby="webhooks">
    <h2 id="webhooks">Webhook deliveries</h2>
    ${problemNote(problem)}
    ${
      deliveries.length === 0
        ? html`<p class="empty">
            ${webhookUrl === null ? "No webhook was requested. Name a webhookUrl in the request of a run to be told when it ends." : `To be sent to ${webhookUrl} at the end.`}
          </p>`
        : deliveries.map((delivery) => one(delivery, mayRedeliver ? redeliver : undefined))
    }
  </section>`
}

const one = (delivery: Delivery, redeliver: ((id: string) => void) | undefined): ComponentChildren =>
  html`<article class="delivery" key=${delivery.id}>
    <div class="heading">
      <h3>${delivery.event}</h3>
      ${badge(delivery.status)}
      ${
        redeliver === undefined
          ? null
          : html`<div class="actions">
              <button type="button" onClick=${() => redeliver(delivery.id)}>Redeliver</button>
            </div>`
      }
    </div>
    <p><code class="url">${delivery.url}</code></p>
    ${
      delivery.status === "pending" && delivery.nextAttemptAt !== null
        ? html`<p class="quiet">Next attempt: ${time(delivery.nextAttemptAt)}</p>`
        : null
    }
    ${table({
      caption: `Attempts to deliver ${delivery.event}`,
      columns,
      rows: delivery.attempts.map((attempt, index) => ({ ...attempt, number: index + 1 })),
      keyOf: ({ number }) => String(number),
      empty: "No attempts yet."
    })}
  </article>`
