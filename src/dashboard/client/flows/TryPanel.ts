import { h, type ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import { useMay } from "../session/CurrentSession.ts"
import { base64Of, DropZone } from "../elements/DropZone.ts"
import { loading, problemNote, badge } from "../elements/Elements.ts"
import { SelectField } from "../elements/FormField.ts"
import { ask, call, messageOf } from "../elements/Http.ts"
import { formatNumber } from "../elements/Format.ts"
import { listen } from "../execution/LiveProgress.ts"
import { Link, navigate } from "../elements/Router.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { TryEditor } from "./TryEditor.ts"
import { useResource } from "../elements/UseResource.ts"

interface Tried {
  readonly name: string
  readonly state: string
  readonly executionId?: string
}

const columns: ReadonlyArray<Column<Tried>> = [
  {
    title: "File",
    cell: ({ executionId, name }) =>
      executionId === undefined ? name : h(Link, { to: `/dashboard/executions/${executionId}` }, name)
  },
  {
    title: "State",
    cell: ({ executionId, state }) =>
      executionId === undefined || state.startsWith("running ") ? state : badge(state)
  }
]

/** Runs a flow on files that are dropped here, and shows the result. */
export const TryPanel = ({ organizationId }: { readonly organizationId: string }): ComponentChildren => {
  const { data, problem } = useResource(call("GET /dashboard/api/flows", {}))
  const [flowId, setFlowId] = useState("")
  const [environment, setEnvironment] = useState("live")
  const [editing, setEditing] = useState(false)
  const mayRun = useMay("operator")
  const [tried, setTried] = useState<ReadonlyArray<Tried>>([])
  if (!mayRun) return html`<p class="empty">Running documents requires the role operator.</p>`
  if (data === undefined) return loading(problem)
  const sorted = data.flows
    .flatMap(({ id, latest }) => (latest === null ? [] : [{ id, ...latest }]))
    .sort((one, other) => one.name.localeCompare(other.name))
  const chosen =
    sorted.find(({ id }) => id === flowId) ?? sorted.find(({ id }) => id === "invoice") ?? sorted[0]
  if (chosen === undefined)
    return html`<p class="empty">
      No flows are served. ${h(Link, { to: "/dashboard/flows" }, "See the flows folder")} for files with
      problems.
    </p>`

  const tell = (index: number, now: Partial<Tried>) =>
    setTried((all) => all.map((entry, at) => (at === index ? { ...entry, ...now } : entry)))
  const runOne = async (file: File, index: number, alone: boolean) => {
    try {
      const document = { base64: await base64Of(file), filename: file.name }
      const { id: executionId } = await ask(
        "POST /api/v1/flows/:flowId/run",
        { flowId: chosen.id, body: { input: { document } } },
        { payer: { organizationId, environment } }
      )
      if (alone) {
        navigate(`/dashboard/executions/${executionId}`)
        return
      }
      tell(index, { executionId, state: "running" })
      await follow(executionId, (state) => tell(index, { state }))
    } catch (failure) {
      tell(index, { state: messageOf(failure) })
    }
  }
  const runAll = async (files: ReadonlyArray<File>) => {
    const from = tried.length
    setTried((all) => [...all, ...files.map(({ name }) => ({ name, state: "sending" }))])
    for (const [index, file] of files.entries()) await runOne(file, from + index, files.length === 1)
  }
  return html`<section class="card" aria-labelledby="try">
    <h2 id="try">Try a flow</h2>
    <div class="fields filters">
      ${h(SelectField, {
        name: "flow",
        label: "Flow",
        value: chosen.id,
        options: sorted.map(({ id, name, version }) => [id, `${name} ${version}`] as const),
        onChange: setFlowId
      })}
      ${h(SelectField, {
        name: "environment",
        label: "Environment",
        value: environment,
        options: [
          ["live", "live: uses credits"],
          ["test", "test: own data, free"]
        ],
        onChange: setEnvironment
      })}
    </div>
    <p class="quiet">${chosen.description}</p>
    ${
      data.canEdit
        ? html`<label class="choice">
            <input type="checkbox" checked=${editing} onChange=${() => setEditing(!editing)} />
            Edit the flow
          </label>`
        : null
    }
    ${
      editing
        ? h(TryEditor, { key: chosen.id, organizationId, flowId: chosen.id, environment })
        : h(DropZone, { onFiles: runAll })
    }
    ${problemNote(problem)}
    ${
      tried.length === 0
        ? null
        : table({
            caption: "Documents",
            columns,
            rows: tried,
            keyOf: ({ executionId, name }) => executionId ?? name,
            empty: ""
          })
    }
  </section>`
}

/** Follows an execution to its end. */
const follow = (executionId: string, tell: (status: string) => void): Promise<void> =>
  new Promise((resolve) => {
    const lookOnce = () =>
      ask("GET /api/v1/runs/:executionId", { executionId })
        .then(({ status }) => tell(status))
        .catch((failure: unknown) => tell(messageOf(failure)))
        .finally(resolve)
    listen(executionId, {
      onStep: (_, percentage) => tell(`running ${formatNumber(percentage)} %`),
      onEnd: (status) => {
        tell(status)
        resolve()
      },
      onLost: lookOnce
    })
  })
