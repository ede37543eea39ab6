import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { DocumentFacts, ExecutionView } from "../../ExecutionView.ts"
import { formatDuration, formatNumber, formatSize } from "../elements/Format.ts"
import { badge, facts, idText, time } from "../elements/Elements.ts"
import { Link } from "../elements/Router.ts"

/** The facts of an execution: where it comes from, how long it took, what it cost. */
export const executionFacts = (view: ExecutionView): ComponentChildren => {
  const { ageMs, document, environment, execution, organization, requestId, startedAt } = view
  const { metrics } = execution
  const finished = execution.completedAt ?? execution.cancelledAt
  return facts([
    ["Id", html`<code class="id">${execution.id}</code>`],
    ["Organization", h(Link, { to: `/dashboard/organizations/${organization.id}` }, organization.name)],
    ["Environment", badge(environment)],
    ...(execution.replayOf === undefined
      ? []
      : [
          [
            "Replay of",
            h(Link, { to: `/dashboard/executions/${execution.replayOf}` }, idText(execution.replayOf))
          ] as const
        ]),
    ["Document", document === null ? "erased or expired" : documentText(document)],
    ["Accepted", time(execution.createdAt)],
    ["Started", time(startedAt)],
    ["Ended", time(finished)],
    ["Took", metrics === undefined ? `${formatDuration(ageMs)} so far` : formatDuration(metrics.durationMs)],
    ["Pages", metrics === undefined ? "–" : formatNumber(metrics.pageCount)],
    ...contributions(view),
    ["Credits", metrics === undefined ? "–" : formatNumber(metrics.creditsUsed)],
    ...(requestId === null ? [] : [["Request", html`<code class="id">${requestId}</code>`] as const])
  ])
}

/** How many values each source gave. */
const contributions = ({ findings }: ExecutionView): ReadonlyArray<readonly [string, string]> => {
  const sources = findings.flatMap(({ fields }) => Object.values(fields).flatMap(({ by }) => by ?? []))
  const counts = [...Map.groupBy(sources, (source) => source)].toSorted(
    ([, one], [, other]) => other.length - one.length
  )
  return counts.length === 0
    ? []
    : [["Values by", counts.map(([source, { length }]) => `${source} ${length}`).join(", ")]]
}

const documentText = ({ filename, mimeType, pageCount, size }: DocumentFacts): string =>
  [filename, mimeType, formatSize(size), pageCount === 1 ? "1 page" : `${pageCount} pages`]
    .filter((part) => part !== null)
    .join(", ")
