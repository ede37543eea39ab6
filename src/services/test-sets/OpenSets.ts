import { Effect, FileSystem, Path, Result, Schema } from "effect"
import { Problem } from "../../../dsl/source/Problem.ts"
import { renderProblems } from "../../../dsl/source/RenderProblem.ts"
import { fileProblem } from "../../domain/FileProblem.ts"
import type { CheckedFlow } from "../../../dsl/model/CheckedFlow.ts"
import { checkTestSet, documentsIn } from "./CheckTestSet.ts"
import type { TestSet } from "./TestSet.ts"

/** A test set that has been read and checked. */
export interface OpenSet {
  readonly file: string
  readonly set: TestSet
}

/** A test set has problems; the message shows each with its line. */
export class TestSetProblems extends Schema.TaggedError<TestSetProblems>()("TestSetProblems", {
  message: Schema.String,
  problems: Schema.Array(Problem)
}) {}

/** The path of a document of a test set, which is relative to the set. */
export const documentPath = Effect.fnUntraced(function* (setFile: string, document: string) {
  const path = yield* Path.Path
  return path.resolve(path.dirname(setFile), document)
})

/** The test sets next to a flow file: `tests/*.yaml` in its folder. */
export const setsBeside = Effect.fnUntraced(function* (flowFile: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(path.dirname(flowFile), "tests")
  const entries = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
  return entries
    .filter((entry) => /^[^.].*\.ya?ml$/u.test(entry))
    .sort()
    .map((entry) => path.join(folder, entry))
})

/** Reads and checks a test set for a flow. */
export const openSet = Effect.fnUntraced(function* (file: string, flow: CheckedFlow<never>) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(file), (error) => {
    const message = `The file cannot be read: ${fileProblem(error).reason}.`
    const problem: Problem = { file, line: 1, column: 1, path: "", message }
    return new TestSetProblems({ message: `${file}: ${problem.message}`, problems: [problem] })
  })
  const there = new Set<string>()
  for (const document of documentsIn(text)) {
    if (yield* Effect.orElseSucceed(fs.exists(yield* documentPath(file, document)), () => false))
      there.add(document)
  }
  const checked = checkTestSet(text, { file, flow, exists: (document) => there.has(document) })
  if (Result.isSuccess(checked)) return { file, set: checked.success } satisfies OpenSet
  return yield* new TestSetProblems({
    message: renderProblems(checked.failure, text),
    problems: checked.failure
  })
})
