import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Backtest } from "../../client/index.ts"
import { defined } from "../../support/Defined.ts"
import { Failed } from "../CommandFailed.ts"
import { showProgress, textTable } from "../Terminal.ts"
import { calling, serviceClient } from "./ServiceAccess.ts"

type Tested = Backtest["executions"][number]

const perRequest = 5

/** One part, once none of its replays is running. */
const endedPart = Effect.fnUntraced(function* (
  flow: string,
  version: string | undefined,
  after: string | undefined
) {
  const client = yield* serviceClient
  for (;;) {
    const query = { limit: perRequest, ...defined({ version, after }) }
    const part = yield* calling((signal) => client.backtest(flow, query, { signal }))
    if (part.executions.every(({ status }) => status !== "running")) return part
    yield* Effect.sleep("1 second")
  }
})

/** Elements of arrays share a row. */
const fieldOf = (path: string): string => path.slice(1).replaceAll(/\/\d+(?=\/|$)/gu, "[]")

const rowsOf = (tested: ReadonlyArray<Tested>): ReadonlyArray<ReadonlyArray<string>> => {
  const values = tested.flatMap((one) => one.values)
  const changed = Map.groupBy(
    tested.flatMap((one) => one.new),
    fieldOf
  )
  const byField = Map.groupBy(values, ({ path }) => fieldOf(path))
  return [...new Set([...byField.keys(), ...changed.keys()])].map((field) => {
    const count = (verdict: string) =>
      String((byField.get(field) ?? []).filter((value) => value.verdict === verdict).length)
    return [
      field,
      count("stayed-right"),
      count("became-right"),
      count("became-wrong"),
      count("stayed-wrong"),
      String(changed.get(field)?.length ?? 0)
    ]
  })
}

const header = ["field", "stayed right", "became right", "became wrong", "stayed wrong", "new"]

/** `docflow runs backtest`: a version over the corrected executions of a flow. */
export const backtestCommand = Command.make(
  "backtest",
  {
    flow: Argument.String("flow").pipe(Argument.withDescription("Id of a flow of the service")),
    version: Flag.String("flow-version").pipe(
      Flag.withDescription("Version to test. Default: the latest"),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* (input) {
    const progress = showProgress(input.json)
    const wanted = Option.getOrUndefined(input.version)
    const tested: Array<Tested> = []
    let part = yield* endedPart(input.flow, wanted, undefined)
    tested.push(...part.executions)
    while (part.next !== null) {
      progress.show(`${input.flow} ${part.version}: ${tested.length} of ${part.total} documents`)
      part = yield* endedPart(input.flow, wanted, part.next)
      tested.push(...part.executions)
    }
    progress.clear()
    const { version } = part
    if (input.json) yield* Console.log(JSON.stringify({ flow: input.flow, version, executions: tested }))
    else if (tested.length === 0)
      yield* Console.log(`${input.flow} ${version}: no document of this flow has been corrected yet`)
    else {
      const done = tested.filter(({ status }) => status === "completed").length
      yield* Console.log(
        `${input.flow} ${version}: ${done} of ${tested.length} corrected documents were read again`
      )
      yield* Console.log(textTable([header, ...rowsOf(tested)]).join("\n"))
      for (const { executionId, message, values } of tested) {
        if (message !== undefined) yield* Console.log(`${executionId}: ${message}`)
        for (const { after, expected, path, verdict } of values)
          if (verdict === "became-wrong")
            yield* Console.log(
              `${executionId}: ${path} became wrong: expected ${JSON.stringify(expected)}, got ${JSON.stringify(after)}`
            )
      }
    }
    // A version that fails on a document proves nothing about its values.
    const holds = ({ status, values }: Tested) =>
      status === "completed" && values.every(({ verdict }) => verdict !== "became-wrong")
    if (!tested.every(holds)) return yield* new Failed({})
  })
).pipe(
  Command.withDescription(
    "Run a flow's corrected documents again with a version, and compare with what people corrected; exit code 1 if a value became wrong or a document could not be read again"
  ),
  Command.withShortDescription("Test a version of a flow on its corrected documents")
)
