import { h, type ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import { loading, problemNote, badge } from "./Elements.ts"
import { SelectField } from "./FormField.ts"
import { messageOf, post, read } from "./Http.ts"
import { Link, navigate } from "./Router.ts"
import { type Column, table } from "./DataTable.ts"
import { useResource } from "./UseResource.ts"

interface FlowChoice {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly version: string
}

interface Tried {
  readonly name: string
  readonly state: string
  readonly executionId?: string
}

/** A file in base64, without the head of its data URL. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/u, "")))
    reader.addEventListener("error", () => reject(new Error(`${file.name} cannot be read`)))
    reader.readAsDataURL(file)
  })

const columns: ReadonlyArray<Column<Tried>> = [
  {
    title: "File",
    cell: ({ executionId, name }) =>
      executionId === undefined ? name : h(Link, { to: `/dashboard/executions/${executionId}` }, name)
  },
  { title: "State", cell: ({ executionId, state }) => (executionId === undefined ? state : badge(state)) }
]

/** Runs a flow on files that are dropped here, and shows the result. */
export const TryPanel = ({ organizationId }: { readonly organizationId: string }): ComponentChildren => {
  const { data, problem } = useResource<{ readonly flows: ReadonlyArray<FlowChoice> }>("/flows")
  const [flowId, setFlowId] = useState("")
  const [environment, setEnvironment] = useState("live")
  const [over, setOver] = useState(false)
  const [tried, setTried] = useState<ReadonlyArray<Tried>>([])
  if (data === undefined) return loading(problem)
  const sorted = data.flows.toSorted((one, other) => one.name.localeCompare(other.name))
  const chosen =
    sorted.find(({ id }) => id === flowId) ?? sorted.find(({ id }) => id === "invoice") ?? sorted[0]
  if (chosen === undefined)
    return html`<p class="empty">No flows are published. Put one into the flows folder.</p>`

  const tell = (index: number, now: Partial<Tried>) =>
    setTried((all) => all.map((entry, at) => (at === index ? { ...entry, ...now } : entry)))
  const runOne = async (file: File, index: number, alone: boolean) => {
    try {
      const document = { base64: await base64Of(file), filename: file.name }
      const path = `/organizations/${organizationId}/flows/${chosen.id}/run?environment=${environment}`
      const { executionId } = await post<{ readonly executionId: string }>(path, { input: { document } })
      if (alone) return navigate(`/dashboard/executions/${executionId}`)
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
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    runAll([...(event.dataTransfer?.files ?? [])])
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
    <label
      class=${over ? "drop is-over" : "drop"}
      onDragOver=${(event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave=${() => setOver(false)}
      onDrop=${drop}
    >
      <span>Drop documents here, or choose them.</span>
      <input
        type="file"
        multiple
        onChange=${({ currentTarget }: Event) => {
          if (currentTarget instanceof HTMLInputElement) runAll([...(currentTarget.files ?? [])])
        }}
      />
    </label>
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

/** Looks until the execution has ended. */
const follow = async (executionId: string, tell: (status: string) => void): Promise<void> => {
  for (;;) {
    const { execution } = await read<{ readonly execution: { readonly status: string } }>(
      `/executions/${executionId}`
    )
    tell(execution.status)
    if (execution.status !== "pending" && execution.status !== "running") return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
