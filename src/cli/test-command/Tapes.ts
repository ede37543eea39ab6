import { Effect, FileSystem, Result, Schema } from "effect"
import {
  AnswersFile,
  answersOf,
  CurrentTape,
  emptyTape,
  type Tape
} from "../../services/test-sets/RecordedAnswers.ts"
import { cannotWrite } from "../../domain/FileProblem.ts"
import { durableWriter } from "../../support/WriteDurably.ts"
import { fail } from "../CommandFailed.ts"

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
  return yield* fail(`${file} contains no recorded answers; record it again with --record`)
})

/** Runs with recorded answers of models: nothing is sent, and nothing is paid for. */
export const replaying = Effect.fnUntraced(function* <A, E, R>(setFile: string, run: Effect.Effect<A, E, R>) {
  const tape: Tape = { mode: "replay", recorded: yield* recordedFor(answersNameOf(setFile)) }
  return yield* Effect.provideService(run, CurrentTape, tape)
})

/** Runs with the models of the settings, and stores their answers next to the test set. */
export const recording = Effect.fnUntraced(function* <A, E, R>(setFile: string, run: Effect.Effect<A, E, R>) {
  const write = yield* durableWriter
  const tape = emptyTape()
  const result = yield* Effect.provideService(run, CurrentTape, tape)
  const answers = answersOf(tape)
  const count = Object.keys(answers.byRequest).length
  const file = answersNameOf(setFile)
  if (count > 0) {
    yield* Effect.catch(write(file, `${JSON.stringify(answers, null, 2)}\n`), (error) =>
      fail(cannotWrite(file, error))
    )
  }
  return { result, recorded: { file, answers: count } }
})
