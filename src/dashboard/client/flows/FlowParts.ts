import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { Changes, FileProblem } from "../../FlowFilesGroup.ts"

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

/** A drawing of the steps. */
export const graphPicture = (svg: string, name: string): ComponentChildren =>
  html`<div class="graph scroll" role="group" aria-label="Graph" tabindex="0">
    <img src=${`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`} alt=${`The steps of ${name}`} />
  </div>`
