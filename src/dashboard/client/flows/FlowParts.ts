import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { Changes, FileProblem, FlowFileView } from "../../FlowFilesGroup.ts"

/** What changed since the version before, and the version that this needs. */
export const changesNote = ({ needs, ok, previous, reasons }: Changes): ComponentChildren => {
  if (previous === null) return html`<p class="quiet">This is the first version.</p>`
  return html`<p class="quiet">
      ${reasons.length === 0 ? `Nothing changed since ${previous}.` : `Changes since ${previous}:`}
    </p>
    <ul class="reasons">
      ${reasons.map((reason) => html`<li>${reason}</li>`)}
    </ul>
    ${ok || needs === null ? null : html`<p>A new version must be <strong>${needs}</strong> or higher.</p>`}`
}

/** What the checker found in a file. */
export const problemsList = (problems: ReadonlyArray<FileProblem>): ComponentChildren =>
  problems.length === 0
    ? null
    : html`<ul class="problems">
        ${problems.map(
          ({ column, line, message, path, suggestion }) =>
            html`<li>
              <strong>Line ${line}, column ${column}</strong>
              ${path === "" ? null : html` at <code>${path}</code>`}: ${message}
              ${suggestion === undefined ? null : html`<div class="quiet">${suggestion}</div>`}
            </li>`
        )}
      </ul>`

/** Steps one below the other; the blocks inside a step are next to each other. */
export const graphOfSteps = (steps: NonNullable<FlowFileView["graph"]>): ComponentChildren =>
  html`<ol class="graph">
    ${steps.map(
      ({ branches, kind, notes, title }) =>
        html`<li>
          <strong>${title}</strong>
          ${[kind, ...notes].map((line) => html`<span class="quiet">${line}</span>`)}
          ${
            branches.length === 0
              ? null
              : html`<div class="branches">
                  ${branches.map(({ label, nodes }) => html`<div><em>${label}</em>${graphOfSteps(nodes)}</div>`)}
                </div>`
          }
        </li>`
    )}
  </ol>`
