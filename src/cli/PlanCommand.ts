import { Console, Effect, FileSystem, Path, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { CheckedFlow } from "../../dsl/model/CheckedFlow.ts"
import { describeModelBound } from "../../dsl/model/ModelBound.ts"
import { followed, plan, type Plan } from "../../dsl/tools/Plan.ts"
import type { Problem } from "../../dsl/source/Problem.ts"
import { readFlowFiles } from "../services/flows/FlowFiles.ts"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import { Failed, fail } from "./CommandFailed.ts"
import { missingFile } from "./MissingFile.ts"
import { flowsFolder } from "../config/Config.ts"
import { defined } from "../support/Defined.ts"

const file = Argument.String("file").pipe(Argument.withDescription("The flow file of the new version"))
const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print the plan as JSON"),
  Flag.withDefault(false)
)

/** The published version that a draft follows, from the flows folder without the draft's own file. */
const findPublished = Effect.fnUntraced(function* (draftFile: string, draft: CheckedFlow) {
  const path = yield* Path.Path
  const runs = yield* LocalRuns
  const { id, version } = draft.definition
  const folder = yield* flowsFolder
  const files = yield* Effect.orElseSucceed(readFlowFiles(folder), () => [])
  const others = files.filter((one) => one.id === id && path.resolve(one.file) !== path.resolve(draftFile))
  const newest = followed(
    version,
    others.map((one) => one.version)
  )
  const found = others.find((one) => one.version === newest)
  if (found === undefined) return undefined
  return yield* Effect.catch(runs.compile(found.text, found.file), ({ message }) =>
    fail(`The published version has problems itself:\n${message}`)
  )
})

const words = (draft: CheckedFlow, published: CheckedFlow | undefined, made: Plan): string => {
  const { id, version } = draft.definition
  const from = published === undefined ? "" : ` after ${published.definition.version}`
  const verdict = made.ok ? "is right" : `is too low: it needs ${made.needs ?? "a higher one"} or higher`
  const lines = [...made.reasons, describeModelBound(draft) ?? []].flat()
  return [`${id} ${version}${from}: ${verdict}`, ...lines.map((line) => `  ${line}`)].join("\n")
}

/** The output of `--json` for a file that is not a flow. */
const faulty = (problems: ReadonlyArray<Problem>) => ({
  bump: "none",
  reasons: problems.map(({ column, line, message }) => `${line}:${column}: ${message}`),
  ok: false,
  problems
})

/** `docflow plan`: the version that a changed flow needs. */
export const planCommand = Command.make("plan", { file, json }, ({ file, json }) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const runs = yield* LocalRuns
    const text = yield* Effect.catch(fs.readFileString(file), (error) => missingFile(file, error))
    const draft = yield* Effect.result(runs.compile(text, file))
    if (Result.isFailure(draft)) {
      const { message, problems } = draft.failure
      yield* Console.log(json ? JSON.stringify(faulty(problems)) : message)
      return yield* new Failed({})
    }
    const published = yield* findPublished(file, draft.success)
    const made = plan(draft.success, published)
    const from = defined({ from: published?.definition.version })
    const models = defined({ models: describeModelBound(draft.success) })
    const answer = { ...made, ...from, ...models, version: draft.success.definition.version }
    yield* Console.log(json ? JSON.stringify(answer) : words(draft.success, published, made))
    if (!made.ok) return yield* new Failed({})
  })
).pipe(
  Command.withDescription(
    "Compare a changed flow with its previous version, and print the version number that it needs"
  )
)
