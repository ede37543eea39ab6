import { basename } from "node:path"
import { Console, Effect, FileSystem, Option, Path, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { describeModelBound } from "../../dsl/model/ModelBound.ts"
import { renderProblems } from "../../dsl/source/RenderProblem.ts"
import { fileProblem } from "../domain/FileProblem.ts"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import { coloured, isColoured } from "./Colour.ts"
import { Failed } from "./CommandFailed.ts"
import type { Problem } from "../../dsl/source/Problem.ts"
import { parseYaml } from "../../dsl/source/Yaml.ts"
import { newestFlowFile } from "../services/flows/FlowFiles.ts"
import { openSet } from "../services/test-sets/OpenSets.ts"
import { isLexiconFile, lexiconProblems } from "../app/LexiconProblems.ts"

/** Whether the text of a file is a test set rather than a flow. */
const isTestSet = (text: string): boolean => {
  const { root } = parseYaml(text, "")
  return root?.kind === "map" && root.entries.has("tests") && !root.entries.has("docflow")
}

const alone = (file: string, message: string, suggestion: string) => {
  const problem: Problem = { file, line: 1, column: 1, path: "", message, suggestion }
  return { problems: [problem], report: `${file}: ${message} ${suggestion}` }
}

/** The problems of a test set in the folder `tests` next to a flow, checked against the newest version of that flow. */
const checkSet = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const runs = yield* LocalRuns
  const folder = path.dirname(path.dirname(path.resolve(file)))
  const flowFile = yield* Effect.orElseSucceed(
    newestFlowFile(path.dirname(folder), path.basename(folder)),
    () => Option.none()
  )
  if (Option.isNone(flowFile)) {
    return alone(
      file,
      "The file is a test set, but there is no flow next to it.",
      "Check it with docflow test <flow> <file>."
    )
  }
  const text = yield* fs.readFileString(flowFile.value)
  const flow = yield* Effect.result(runs.compile(text, flowFile.value))
  if (Result.isFailure(flow)) return { problems: flow.failure.problems, report: flow.failure.message }
  const opened = yield* Effect.result(openSet(file, flow.success))
  if (Result.isFailure(opened)) return { problems: opened.failure.problems, report: opened.failure.message }
  const count = opened.success.set.cases.length
  return {
    problems: [],
    report: `${file}: the test set (${count} ${count === 1 ? "case" : "cases"}) has no problems`
  }
})

const files = Argument.String("file").pipe(
  Argument.withDescription("Flow files, test sets or files of a lexicon, such as flows/invoice/1.0.0.yaml"),
  Argument.variadic({ min: 1 })
)
const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print the problems as JSON"),
  Flag.withDefault(false)
)

const notChecked = (file: string, message: string, suggestion: string) => ({
  problems: [{ file, line: 1, column: 1, path: "", message, suggestion }],
  report: `${file}: ${message} ${suggestion}`
})

/** The result for one file: no problems, problems of the flow, or a file that cannot be read. */
const checkFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const runs = yield* LocalRuns
  const text = yield* Effect.result(fs.readFileString(file))
  if (Result.isFailure(text)) {
    const { advice, reason } = fileProblem(text.failure)
    return notChecked(file, `The file cannot be read: ${reason}.`, `${advice}.`)
  }
  if (text.success.includes("\0"))
    return notChecked(file, "The file is not text.", "Give a flow, such as flows/invoice/1.0.0.yaml.")
  if (isTestSet(text.success)) return yield* checkSet(file)
  if (isLexiconFile(basename(file), text.success)) {
    const problems = lexiconProblems(text.success, file)
    const right = `${file}: the language has no problems`
    return { problems, report: problems.length === 0 ? right : renderProblems(problems, text.success) }
  }
  const flow = yield* Effect.result(runs.compile(text.success, file))
  if (Result.isFailure(flow)) return { problems: flow.failure.problems, report: flow.failure.message }
  const { id, version } = flow.success.definition
  const models = describeModelBound(flow.success)
  const more = models === undefined ? "" : `; ${models}`
  return { problems: [], report: `${file}: ${id} ${version} has no problems${more}` }
})

/** `docflow check`: every problem of flow files, with file, line and column. */
export const checkCommand = Command.make("check", { files, json }, ({ files, json }) =>
  Effect.gen(function* () {
    const checked = yield* Effect.forEach(files, checkFile)
    const problems = checked.flatMap((one) => one.problems)
    if (json) yield* Console.log(JSON.stringify({ problems }))
    else for (const { report } of checked) yield* Console.log(isColoured() ? coloured(report) : report)
    if (problems.length > 0) return yield* new Failed({})
  })
).pipe(
  Command.withDescription(
    "Check flows, test sets and lexicon files: every problem, with file, line and column"
  )
)
