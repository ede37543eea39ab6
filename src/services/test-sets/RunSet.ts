import { Effect, FileSystem, Result, Schema } from "effect"
import type { CheckedFlow } from "../../../dsl/model/CheckedFlow.ts"
import { cannotRead } from "../../domain/FileProblem.ts"
import { documentPath, type OpenSet, TestSetProblems } from "./OpenSets.ts"
import { AnswersFile, CurrentTape } from "./RecordedAnswers.ts"
import { runCase } from "./RunCase.ts"
import { scoreSet } from "./TestScores.ts"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(AnswersFile))

const nothingRecorded: AnswersFile = { answers: 1, models: {}, byRequest: {} }

/** The file with recorded answers of models for a test set: `examples.yaml` has `examples.answers.json`. */
export const answersNameOf = (setFile: string): string => setFile.replace(/\.ya?ml$/u, "") + ".answers.json"

const recordedFor = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.result(fs.readFileString(file))
  if (Result.isFailure(text)) return nothingRecorded
  const answers = decode(text.success)
  if (Result.isSuccess(answers)) return answers.success
  const message = `${file} contains no recorded answers; record it again with --record`
  return yield* new TestSetProblems({ message, problems: [] })
})

/** Each document is read in a process of its own; a second one keeps the other core busy. */
const concurrency = 2

/** Runs the cases of a test set with the models at hand; `onProgress` is told how far it is. */
export const runSet = Effect.fnUntraced(function* (
  flow: CheckedFlow<never>,
  { file, set }: OpenSet,
  onProgress: (text: string) => void
) {
  const fs = yield* FileSystem.FileSystem
  const all = set.cases.length
  let done = 0
  return yield* Effect.forEach(
    set.cases,
    Effect.fnUntraced(function* (one) {
      const document = yield* documentPath(file, one.document)
      const bytes = yield* Effect.mapError(
        fs.readFile(document),
        (error) => new TestSetProblems({ message: cannotRead(document, error), problems: [] })
      )
      const result = yield* runCase(flow, one, bytes, (step, percentage) => {
        const share = Math.round((100 * (done + percentage / 100)) / all)
        onProgress(`${file}: case ${done + 1} of ${all}, ${step} ${share} %`)
      })
      done++
      return result
    }),
    { concurrency }
  )
})

/** Runs a test set with recorded answers of models: nothing is sent, and nothing is paid for. */
export const replaySet = Effect.fnUntraced(function* (
  flow: CheckedFlow<never>,
  set: OpenSet,
  onProgress: (text: string) => void
) {
  const recorded = yield* recordedFor(answersNameOf(set.file))
  return yield* Effect.provideService(runSet(flow, set, onProgress), CurrentTape, {
    mode: "replay",
    recorded
  })
})

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** The most failed expectations that a refusal lists for a test set. */
const maxListed = 20

/** Why a flow does not pass a test set, with the documents that fail; undefined if the set holds. */
export const whySetFails = Effect.fnUntraced(function* (
  flow: CheckedFlow<never>,
  set: OpenSet,
  name: string
) {
  const results = yield* replaySet(flow, set, () => undefined)
  const { accuracy, failures, holds, minimum } = scoreSet(results, set.set.minimum)
  if (holds) return undefined
  const failed = new Set(failures.map((one) => one.case)).size
  return [
    `${name}: ${percent(accuracy)} of the expectations hold, at least ${percent(minimum)} must; ${failed} of ${results.length} documents fail`,
    ...failures.slice(0, maxListed).map((one) => `${one.case}: ${one.message}`),
    ...(failures.length > maxListed ? [`and ${failures.length - maxListed} more`] : [])
  ].join("\n")
})
