import { Console, Effect, FileSystem, Option, Path } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { ExportedCase, Execution as Shown } from "../../client/index.ts"
import { describeResult } from "../ResultText.ts"
import { printable, textTable } from "../Terminal.ts"
import { fail, Failed } from "../CommandFailed.ts"
import { backtestCommand } from "./BacktestCommand.ts"
import { calling, serviceClient } from "./ServiceAccess.ts"

/** Writes an exported case into a folder: the test set, and the document that belongs to it. Other files are never replaced. */
const writeCase = Effect.fnUntraced(function* (found: ExportedCase, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const write = (name: string, bytes: Uint8Array) => {
    // A name without its folders: nothing is written outside of this one.
    const file = path.join(folder, path.basename(name))
    return Effect.catch(fs.writeFile(file, bytes, { flag: "wx" }), ({ reason }) =>
      fail(
        reason._tag === "AlreadyExists"
          ? `${file} already exists. Remove it to write it again`
          : `${file} cannot be written`
      )
    ).pipe(Effect.andThen(Console.log(file)))
  }
  yield* Effect.ignore(fs.makeDirectory(folder, { recursive: true }))
  yield* write(found.name, Buffer.from(found.text))
  if (found.document !== undefined) {
    return yield* write(found.document.filename, Buffer.from(found.document.base64, "base64"))
  }
  yield* Console.error(
    "The document is not in it: put it next to the test set, or allow the export with docflow organizations export"
  )
})

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
const id = Argument.String("execution").pipe(
  Argument.withDescription("Id of the execution, such as exec_01M7…")
)

const rowOf = ({ createdAt, flowId, id: execution, status, version }: Shown) => [
  execution,
  flowId,
  version,
  status,
  createdAt
]

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", ["pending", "running", "completed", "failed", "cancelled"]).pipe(
      Flag.withDescription("Only executions with this status"),
      Flag.optional
    ),
    flow: Flag.String("flow").pipe(Flag.withDescription("Only executions of this flow"), Flag.optional),
    since: Flag.String("since").pipe(
      Flag.withDescription("Only executions created since then, such as 2026-11-20 or 2026-11-20T09:30:00Z"),
      Flag.optional
    ),
    metadata: Flag.String("metadata").pipe(
      Flag.withDescription("Only executions with this metadata: name=value"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("Number of executions. Default: 20"),
      Flag.withDefault(20)
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const client = yield* serviceClient
    const [name = "", ...value] = Option.getOrElse(input.metadata, () => "").split("=")
    if (name !== "" && value.length === 0) return yield* fail(`--metadata ${name}: write ${name}=value`)
    const filter = {
      limit: input.limit,
      ...(Option.isSome(input.status) ? { status: input.status.value } : {}),
      ...(Option.isSome(input.flow) ? { flowId: input.flow.value } : {}),
      ...(Option.isSome(input.since) ? { createdAfter: input.since.value } : {}),
      ...(name === "" ? {} : { metadata: { [name]: value.join("=") } })
    }
    const found = yield* calling((signal) => client.listExecutions(filter, { signal }))
    if (input.json) return yield* Console.log(JSON.stringify(found.executions))
    const header = ["id", "flow", "version", "status", "created"]
    yield* Console.log(textTable([header, ...found.executions.map(rowOf)]).join("\n"))
    if (found.nextCursor !== null) yield* Console.log("There are more; --limit shows up to 100")
  })
).pipe(Command.withDescription("List executions, newest first"))

const headOf = ({ flowId, id: execution, version }: Shown) => `${execution} (${flowId} ${version})`

const shown = (execution: Shown): string =>
  execution.status === "completed" || execution.status === "failed"
    ? describeResult(headOf(execution), {
        status: execution.status,
        ...(execution.output === undefined ? {} : { output: execution.output }),
        ...(execution.error === undefined ? {} : { error: execution.error })
      })
    : `${headOf(execution)}: ${execution.status}`

const printed = Effect.fnUntraced(function* (execution: Shown, asJson: boolean) {
  yield* Console.log(asJson ? JSON.stringify(execution) : shown(execution))
  if (execution.status === "failed") return yield* new Failed({})
})

const show = Command.make(
  "show",
  { id, json },
  Effect.fnUntraced(function* (input) {
    const client = yield* serviceClient
    const execution = yield* calling((signal) => client.get(input.id, { signal }))
    yield* Console.log(input.json ? JSON.stringify(execution) : shown(execution))
  })
).pipe(Command.withDescription("Show an execution"))

const watch = Command.make(
  "watch",
  { id },
  Effect.fnUntraced(function* (input) {
    const client = yield* serviceClient
    yield* calling(async () => {
      for await (const { data, event } of client.events(input.id)) {
        const step = "step" in data && typeof data.step === "string" ? ` ${data.step}` : ""
        if (event.startsWith("step.") || event === "execution.running")
          process.stderr.write(printable(`${event}${step}\n`))
      }
    })
    yield* printed(yield* calling((signal) => client.get(input.id, { signal })), false)
  })
).pipe(Command.withDescription("Follow an execution until it ends; exit code 1 if it fails"))

const cancel = Command.make(
  "cancel",
  { id },
  Effect.fnUntraced(function* (input) {
    const client = yield* serviceClient
    const execution = yield* calling((signal) => client.cancel(input.id, { signal }))
    yield* Console.log(`${headOf(execution)}: ${execution.status}`)
  })
).pipe(Command.withDescription("Cancel an execution"))

const replay = Command.make(
  "replay",
  {
    id,
    from: Flag.String("from").pipe(
      Flag.withDescription("Step from which to run again. Default: the first"),
      Flag.optional
    ),
    version: Flag.String("flow-version").pipe(
      Flag.withDescription("Version of the flow. Default: the one that ran"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const client = yield* serviceClient
    const request = {
      ...(Option.isSome(input.from) ? { fromStep: input.from.value } : {}),
      ...(Option.isSome(input.version) ? { version: input.version.value } : {})
    }
    const { id: replayed } = yield* calling((signal) => client.replay(input.id, request, { signal }))
    yield* printed(yield* calling((signal) => client.waitFor(replayed, { signal })), input.json)
  })
).pipe(Command.withDescription("Run an execution again, from a step, and wait for its end"))

const testSet = Command.make(
  "test-set",
  {
    id,
    folder: Flag.String("folder").pipe(
      Flag.withDescription(
        "Write the test set, and the document if the organization allows that, into a folder"
      ),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* (input) {
    const client = yield* serviceClient
    const found = yield* calling((signal) => client.testSet(input.id, { signal }))
    if (Option.isNone(input.folder)) return yield* Console.log(found.text.trimEnd())
    yield* writeCase(found, input.folder.value)
  })
).pipe(
  Command.withDescription("Print or write the corrected and confirmed values of an execution as a test set")
)

/** `docflow runs`: the executions of a running service. */
export const runsCommand = Command.make("runs").pipe(
  Command.withDescription(
    "List, show, watch, cancel and replay executions of a running service: DOCFLOW_URL is its address, DOCFLOW_KEY an API key"
  ),
  Command.withShortDescription("List, show, watch, cancel and replay executions of a service"),
  Command.withSubcommands([list, show, watch, cancel, replay, testSet, backtestCommand])
)
