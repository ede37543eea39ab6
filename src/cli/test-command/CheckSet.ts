import { Effect, FileSystem, Option, Path, Result } from "effect"
import type { Problem } from "../../../dsl/source/Problem.ts"
import { parseYaml } from "../../../dsl/source/Yaml.ts"
import { newestFlowFile } from "../../services/flows/FlowFiles.ts"
import { LocalRuns } from "../../services/local-runs/LocalRuns.ts"
import { openSet } from "./OpenSets.ts"

/** Whether the text of a file is a test set rather than a flow. */
export const isTestSet = (text: string): boolean => {
  const { root } = parseYaml(text, "")
  return root?.kind === "map" && root.entries.has("tests") && !root.entries.has("docflow")
}

const alone = (file: string, message: string, suggestion: string) => {
  const problem: Problem = { file, line: 1, column: 1, path: "", message, suggestion }
  return { problems: [problem], report: `${file}: ${message} ${suggestion}` }
}

/** The problems of a test set in the folder `tests` next to a flow, checked against the newest version of that flow. */
export const checkSet = Effect.fnUntraced(function* (file: string) {
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
