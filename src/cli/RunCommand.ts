import { Console, Effect, FileSystem, Option, Path, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { LocalRuns, type RunResult } from "../services/local-runs/LocalRuns.ts"
import { fail, Failed } from "./CommandFailed.ts"
import { flowFileOf, openFlow } from "./FlowArgument.ts"
import { showProgress } from "./ProgressLine.ts"
import { describeResult } from "./ResultText.ts"

const flow = Argument.String("flow").pipe(
  Argument.withDescription("A flow's id (its newest version in the flows folder) or a flow file")
)
const files = Argument.String("file").pipe(
  Argument.withDescription("The documents to run it on"),
  Argument.variadic({ min: 1 })
)
const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one line of JSON for each document"),
  Flag.withDefault(false)
)
const variables = Flag.String("variables").pipe(
  Flag.withDescription("The flow's variables, as a JSON object"),
  Flag.optional
)

const readVariables = (text: Option.Option<string>) => {
  const parsed = Result.try((): unknown => JSON.parse(Option.getOrElse(text, () => "{}")))
  return Result.isSuccess(parsed) && isVariables(parsed.success)
    ? Effect.succeed(parsed.success)
    : fail(`--variables must be a JSON object, like '{"dateOrder":"MDY"}'`)
}

const isVariables = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** One line of `--json`: the run, or why there was none. */
type Line = Omit<RunResult, "artifacts"> | RefusedLine
interface RefusedLine {
  readonly flow: string
  readonly version: string
  readonly status: "failed"
  readonly error: { readonly code: string; readonly message: string }
}

/** `docflow run`: runs a flow on files in this process, without a service. */
export const runCommand = Command.make("run", { flow, files, json, variables }, (input) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const runs = yield* LocalRuns
    const given = yield* readVariables(input.variables)
    const compiled = yield* openFlow(yield* flowFileOf(input.flow))
    const { id, version } = compiled.definition

    const runOne = Effect.fnUntraced(
      function* (document: string) {
        const bytes = yield* Effect.mapError(fs.readFile(document), () => ({
          code: "INVALID_INPUT",
          message: `${document} cannot be read`
        }))
        const progress = showProgress(document, input.json)
        const result = yield* Effect.ensuring(
          runs.run(compiled, bytes, {
            filename: path.basename(document),
            variables: given,
            onProgress: progress.show
          }),
          Effect.sync(progress.clear)
        ).pipe(
          Effect.mapError((error) =>
            error._tag === "RunRefused"
              ? { code: error.code, message: error.message }
              : { code: "INTERNAL_ERROR", message: "The document could not be kept in memory" }
          )
        )
        const { artifacts: _, ...line } = result
        return line
      },
      Effect.catch((error) => Effect.succeed({ flow: id, version, status: "failed" as const, error }))
    )

    const lines: Array<Line> = []
    for (const document of input.files) {
      const line: Line = yield* runOne(document)
      lines.push(line)
      yield* Console.log(
        input.json ? JSON.stringify({ file: document, ...line }) : describeResult(document, line)
      )
    }
    if (lines.some(({ status }) => status === "failed")) return yield* new Failed()
  })
).pipe(Command.withDescription("Run a flow on documents in this process"))
