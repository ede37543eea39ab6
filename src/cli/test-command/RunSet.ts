import { Effect, FileSystem } from "effect"
import type { CheckedFlow } from "../../../dsl/model/CheckedFlow.ts"
import { runCase } from "../../services/test-sets/RunCase.ts"
import { missingFile } from "../MissingFile.ts"
import { showProgress } from "../ProgressLine.ts"
import { documentPath, type OpenSet } from "./OpenSets.ts"

/** Each document is read in a process of its own; a second one keeps the other core busy. */
const concurrency = 2

/** Runs the cases of a test set; shows its progress on the terminal, unless `quiet`. */
export const runSet = Effect.fnUntraced(function* (
  flow: CheckedFlow<never>,
  { file, set }: OpenSet,
  quiet: boolean
) {
  const fs = yield* FileSystem.FileSystem
  const progress = showProgress(quiet)
  let done = 0
  return yield* Effect.ensuring(
    Effect.forEach(
      set.cases,
      Effect.fnUntraced(function* (one) {
        const document = yield* documentPath(file, one.document)
        const bytes = yield* Effect.catch(fs.readFile(document), (error) => missingFile(document, error))
        const result = yield* runCase(flow, one, bytes, (step, percentage) =>
          progress.show(
            `${file}: case ${done + 1} of ${set.cases.length}, ${step} ${Math.round((100 * (done + percentage / 100)) / set.cases.length)} %`
          )
        )
        done++
        return result
      }),
      { concurrency }
    ),
    Effect.sync(progress.clear)
  )
})
