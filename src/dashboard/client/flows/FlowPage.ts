import { type ComponentChildren, h } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { DiffPart, FlowFileView } from "../../FlowFilesGroup.ts"
import { facts, loading, problemNote, time, Page } from "../elements/Elements.ts"
import { FlowWorkbench, type SavedFlow, showFlow } from "./FlowWorkbench.ts"
import { changesNote, graphOfSteps, problemsList } from "./FlowParts.ts"
import { SelectField } from "../elements/FormField.ts"
import { call } from "../elements/Http.ts"
import { jsonView } from "../elements/JsonView.ts"
import { forgetEdit, keptEdit, useEditName } from "../session/KeptEdits.ts"
import { useResource } from "../elements/UseResource.ts"

/** The number of equal lines that are shown before and after a change. */
const around = 3

interface DiffProps {
  readonly id: string
  readonly version: string
  /** The other versions, the newest first. */
  readonly others: ReadonlyArray<string>
  /** The version that it is compared with at first. */
  readonly first: string
}

/** The lines in which a version of a flow differs from another one. */
const FlowDiff = ({ first, id, others, version }: DiffProps): ComponentChildren => {
  const [from, setFrom] = useState(first)
  const { data, problem } = useResource(call("GET /dashboard/api/flows/:id/diff", { id, from, to: version }))
  return html`<div class="fields filters">
      ${h(SelectField, {
        name: "from",
        label: "Compare with",
        value: from,
        options: others.map((other) => [other, other] as const),
        onChange: setFrom
      })}
    </div>
    ${data === undefined ? loading(problem) : lines(data.parts, `Lines that differ from ${from}`)}`
}

const lines = (parts: ReadonlyArray<DiffPart>, label: string): ComponentChildren => {
  if (parts.every(({ change }) => change === "same"))
    return html`<p class="quiet">These versions have the same lines.</p>`
  return html`<pre class="diff" tabindex="0" role="region" aria-label=${label}>
${parts.map((part, index) => (part.change === "same" ? same(part.lines, index > 0, index < parts.length - 1) : changed(part)))}</pre>`
}

const changed = ({ change, lines }: DiffPart): ComponentChildren => {
  const [tag, sign] = change === "added" ? ["ins", "+"] : ["del", "−"]
  return h(tag, {}, lines.map((line) => `${sign} ${line}\n`).join(""))
}

const shown = (some: ReadonlyArray<string>): string => some.map((line) => `  ${line}\n`).join("")

/** Equal lines, of which those far from any change are left out. */
const same = (
  lines: ReadonlyArray<string>,
  isAfterChange: boolean,
  isBeforeChange: boolean
): ComponentChildren => {
  const head = isAfterChange ? around : 0
  const tail = isBeforeChange ? around : 0
  if (lines.length <= head + tail + 1) return shown(lines)
  const left = lines.length - head - tail
  return html`${shown(lines.slice(0, head))}<span class="quiet"> … ${left} equal lines</span
    >${"\n"}${shown(lines.slice(lines.length - tail))}`
}

const above = [["Flows", "/dashboard/flows"]] as const

interface FlowPageProps {
  readonly id: string
  readonly address: URL
}

/** One flow: its versions, its source with what the checker found in it, its graph and its schemas. */
export const FlowPage = ({ address, id }: FlowPageProps): ComponentChildren => {
  const version = address.searchParams.get("version")
  const { data, problem } = useResource<FlowFileView>(
    call("GET /dashboard/api/flows/:id", { id, version: version ?? undefined })
  )
  const nameOf = useEditName()
  const [edited, edit] = useState<string>()
  const isAsked = useRef(false)
  useEffect(() => {
    if (data?.canEdit === true && keptEdit(nameOf(id, data.version)) !== undefined) edit(data.version)
  }, [data])
  if (data === undefined) return h(Page, { title: id, above }, loading(problem))
  const editName = nameOf(id, data.version)
  const editing = edited === data.version
  const show = (wanted: SavedFlow) => {
    if (showFlow(wanted)) edit(undefined)
  }
  const begin = () => {
    isAsked.current = true
    edit(data.version)
  }
  const discard = () => {
    forgetEdit(editName)
    edit(undefined)
  }
  return h(
    Page,
    {
      title: data.latest?.name ?? id,
      above,
      trailing:
        data.canEdit && !editing
          ? html`<div class="actions">
              <button type="button" onClick=${begin}>Edit</button>
            </div>`
          : null
    },
    problemNote(problem),
    html`<section class="card" aria-label="About this flow">
      ${data.latest === null ? null : html`<p>${data.latest.description}</p>`}
      <div class="fields filters">
        ${h(SelectField, {
          name: "version",
          label: "Version",
          value: data.version,
          options: data.versions.map((one) => [one.version, titleOf(one)] as const),
          onChange: (wanted) => show({ id, version: wanted })
        })}
      </div>
      ${facts([
        ["Id", html`<code>${id}</code>`],
        ["Published", data.publishedAt === null ? "not served" : time(data.publishedAt)]
      ])}
    </section>`,
    data.problems.length === 0
      ? null
      : html`<section class="card" aria-labelledby="problems">
          <h2 id="problems">Problems</h2>
          ${data.publishedAt === null ? null : html`<p>Until they are solved, the published versions are served.</p>`}
          ${problemsList(data.problems)}
        </section>`,
    html`<section class="card" aria-labelledby="source">
      <h2 id="source">${editing ? "Edit" : "Source"}</h2>
      ${
        editing
          ? h(FlowWorkbench, {
              key: data.version,
              source: data.source,
              editName,
              takesFocus: isAsked.current,
              onSaved: show,
              buttons: html`<button type="button" onClick=${discard}>Discard the changes</button>`
            })
          : html`<pre class="source" tabindex="0" role="region" aria-label="The flow as YAML">
${data.source}</pre>`
      }
    </section>`,
    about(data)
  )
}

const titleOf = ({ problems, version }: FlowFileView["versions"][number]): string =>
  problems === 0 ? version : `${version} (${problems === 1 ? "1 problem" : `${problems} problems`})`

/** The differing lines, if there is another version to compare with. */
const diffOf = (
  id: string,
  version: string,
  versions: FlowFileView["versions"],
  previous: string | null
): ComponentChildren => {
  const others = versions.flatMap((one) => (one.version === version ? [] : [one.version]))
  const first = previous ?? others[0]
  return first === undefined ? null : h(FlowDiff, { key: version, id, version, others, first })
}

const about = ({ changes, graph, id, schema, version, versions }: FlowFileView): ComponentChildren =>
  html`${
    changes === null
      ? null
      : html`<section class="card" aria-labelledby="changes">
          <h2 id="changes">Changes</h2>
          ${changesNote(changes)} ${diffOf(id, version, versions, changes.previous)}
        </section>`
  }
  ${
    graph === null
      ? null
      : html`<section class="card" aria-labelledby="graph">
          <h2 id="graph">Graph</h2>
          <div class="scroll" role="group" aria-label="Graph" tabindex="0">${graphOfSteps(graph)}</div>
        </section>`
  }
  ${
    schema === null
      ? null
      : html`<section class="card" aria-labelledby="schema">
          <h2 id="schema">Schema</h2>
          <details>
            <summary>Input: variables</summary>
            ${jsonView("Input", schema.input)}
          </details>
          <details>
            <summary>Output</summary>
            ${jsonView("Output", schema.output)}
          </details>
        </section>`
  }`
