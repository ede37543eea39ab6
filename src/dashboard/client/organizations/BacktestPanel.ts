import { h, type ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Backtest, BacktestExecution } from "../../../domain/Backtest.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { loading, problemNote } from "../elements/Elements.ts"
import { SelectField } from "../elements/FormField.ts"
import { ask, call, messageOf } from "../elements/Http.ts"
import { Link } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"
import { useMay } from "../session/CurrentSession.ts"
import { shownValue } from "../viewer/ViewerFields.ts"

type Tested = Omit<Backtest, "next">

/** How the values of a field fared in a backtest, by number of documents. */
interface BacktestField {
  readonly field: string
  readonly stayedRight: number
  readonly becameRight: number
  readonly becameWrong: number
  readonly stayedWrong: number
  /** Changed, and never checked by a person. */
  readonly new: number
}

/** Elements of arrays share a field. */
const fieldOf = (path: string): string => path.slice(1).replaceAll(/\/\d+(?=\/|$)/gu, "[]")

/** Adds up the values of a backtest by field. */
const backtestFields = (tested: ReadonlyArray<BacktestExecution>): ReadonlyArray<BacktestField> => {
  const values = Map.groupBy(
    tested.flatMap((one) => one.values),
    ({ path }) => fieldOf(path)
  )
  const changed = tested.flatMap((one) => one.new).map(fieldOf)
  return [...new Set([...values.keys(), ...changed])].map((field) => {
    const count = (wanted: string) =>
      (values.get(field) ?? []).filter(({ verdict }) => verdict === wanted).length
    return {
      field,
      stayedRight: count("stayed-right"),
      becameRight: count("became-right"),
      becameWrong: count("became-wrong"),
      stayedWrong: count("stayed-wrong"),
      new: changed.filter((one) => one === field).length
    }
  })
}

const fieldColumns: ReadonlyArray<Column<BacktestField>> = [
  { title: "Field", cell: ({ field }) => field },
  { title: "Stayed right", cell: ({ stayedRight }) => stayedRight, numeric: true },
  { title: "Became right", cell: ({ becameRight }) => becameRight, numeric: true },
  { title: "Became wrong", cell: ({ becameWrong }) => becameWrong, numeric: true },
  { title: "Stayed wrong", cell: ({ stayedWrong }) => stayedWrong, numeric: true },
  { title: "New", cell: (row) => row.new, numeric: true }
]

/** What is wrong with a document: it could not be read again, or values became wrong. */
const faultsOf = ({ message, values }: BacktestExecution): ReadonlyArray<ComponentChildren> => [
  ...(message === undefined ? [] : [message]),
  ...values.flatMap(({ after, expected, path, verdict }) =>
    verdict === "became-wrong"
      ? [html`${path.slice(1)}: expected ${shownValue(expected)}, got ${shownValue(after)}`]
      : []
  )
]

const faultColumns: ReadonlyArray<Column<BacktestExecution>> = [
  {
    title: "Document",
    cell: ({ executionId }) => h(Link, { to: `/dashboard/executions/${executionId}` }, executionId)
  },
  {
    title: "Problem",
    cell: (one) =>
      html`<ul>
        ${faultsOf(one).map((fault) => html`<li>${fault}</li>`)}
      </ul>`
  }
]

/** The pause before replays that are running are asked for again, in milliseconds. */
const askAgainAfter = 1_000

/** Runs the corrected documents of an organization again with a version of a flow, and compares. */
export const BacktestPanel = ({ organizationId }: { readonly organizationId: string }): ComponentChildren => {
  const { data, problem } = useResource(call("GET /dashboard/api/flows", {}))
  const [chosen, choose] = useState<string>()
  const [environment, setEnvironment] = useState("live")
  const [version, setVersion] = useState<string>()
  const [tested, setTested] = useState<Tested>()
  const [failure, setFailure] = useState<string>()
  const [running, setRunning] = useState<AbortController>()
  const current = useRef(running)
  current.current = running
  useEffect(() => () => current.current?.abort(), [])
  const flowId = chosen ?? data?.flows.find(({ latest }) => latest !== null)?.id
  const flow = useResource(
    flowId === undefined ? undefined : call("GET /dashboard/api/flows/:id", { id: flowId })
  )
  if (!useMay("operator")) return html`<p class="empty">A backtest requires the role operator.</p>`
  if (data === undefined) return loading(problem)
  if (flowId === undefined) return html`<p class="empty">No flows are served.</p>`

  const start = async () => {
    const { signal } = begin()
    const executions: Array<BacktestExecution> = []
    try {
      for (let after: string | null | undefined; after !== null;) {
        const part = await ask(
          "POST /api/v1/flows/:flowId/backtest",
          { flowId, version, after },
          { signal, payer: { organizationId, environment } }
        )
        if (part.executions.some(({ status }) => status === "running")) {
          await new Promise((resolve) => setTimeout(resolve, askAgainAfter))
          continue
        }
        executions.push(...part.executions)
        after = part.next
        setTested({ version: part.version, total: part.total, executions: [...executions] })
      }
    } catch (cause) {
      if (!signal.aborted) setFailure(messageOf(cause))
    }
    setRunning(undefined)
  }
  const begin = (): AbortController => {
    const asked = new AbortController()
    setRunning(asked)
    setFailure(undefined)
    setTested(undefined)
    return asked
  }
  const isRunning = running !== undefined
  return html`<section class="card" aria-labelledby="backtest">
    <h2 id="backtest">Backtest</h2>
    <p class="quiet">
      Reads the corrected documents of a flow again with another version, and compares with what people
      corrected or confirmed. Replays cost what they always cost; what was read in the last 24 hours is kept.
    </p>
    <div class="fields filters">
      ${h(SelectField, {
        name: "flow",
        label: "Flow",
        value: flowId,
        options: data.flows.flatMap(({ id, latest }) =>
          latest === null ? [] : [[id, latest.name] as const]
        ),
        onChange: (id) => {
          choose(id)
          setVersion(undefined)
        }
      })}
      ${h(SelectField, {
        name: "version",
        label: "Version",
        value: version ?? "",
        options: [
          ["", "the latest"] as const,
          ...(flow.data?.versions ?? []).map((one) => [one.version, one.version] as const)
        ],
        onChange: (one) => setVersion(one === "" ? undefined : one)
      })}
      ${h(SelectField, {
        name: "environment",
        label: "Environment",
        value: environment,
        options: [
          ["live", "live"],
          ["test", "test"]
        ],
        onChange: setEnvironment
      })}
    </div>
    <button type="button" class="primary" onClick=${isRunning ? () => running.abort() : start}>
      ${isRunning ? "Stop" : "Start the backtest"}
    </button>
    ${problemNote(failure ?? problem)} ${resultOf(tested, isRunning)}
  </section>`
}

const resultOf = (tested: Tested | undefined, isRunning: boolean): ComponentChildren => {
  if (tested === undefined)
    return isRunning ? html`<p role="status">The first documents are read …</p>` : null
  const { executions, total, version } = tested
  return html`<p role="status">
      Version ${version}: ${executions.length} of ${total} corrected documents${isRunning ? " …" : ""}
    </p>
    ${table({
      caption: "Values by field",
      columns: fieldColumns,
      rows: backtestFields(executions),
      keyOf: ({ field }) => field,
      empty: "No corrected document of this flow has been read again."
    })}
    ${table({
      caption: "Problems by document",
      columns: faultColumns,
      rows: executions.filter((one) => faultsOf(one).length > 0),
      keyOf: ({ executionId }) => executionId,
      empty: "No value became wrong."
    })}`
}
