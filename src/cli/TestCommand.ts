import { Console, Effect, FileSystem, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { CheckedFlow } from "../../dsl/model/CheckedFlow.ts"
import { scoreSet, type SetScore } from "../services/test-sets/TestScores.ts"
import { cannotWrite } from "../domain/FileProblem.ts"
import { durableWriter } from "../support/WriteDurably.ts"
import { coloured, isColoured } from "./Colour.ts"
import { fail, Failed } from "./CommandFailed.ts"
import { flowFileOf, openFlow } from "./FlowArgument.ts"
import { openSet, type OpenSet, setsBeside } from "../services/test-sets/OpenSets.ts"
import { compareRuns, readRun } from "./test-command/CompareRuns.ts"
import { junitOf } from "./test-command/JUnit.ts"
import { describeSet, describeSummary, summaryOf } from "./test-command/Report.ts"
import { answersNameOf, replaySet, runSet } from "../services/test-sets/RunSet.ts"
import { missingFile } from "./MissingFile.ts"
import { showProgress } from "./Terminal.ts"
import { answersOf, CurrentTape, emptyTape } from "../services/test-sets/RecordedAnswers.ts"

/** Runs with the models of the settings, and stores their answers next to the test set. */
const recording = Effect.fnUntraced(function* <A, E, R>(setFile: string, run: Effect.Effect<A, E, R>) {
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

const flow = Argument.String("flow").pipe(
  Argument.withDescription("A flow's id (its newest version in the flows folder) or a flow file")
)
const sets = Argument.String("test set").pipe(
  Argument.withDescription("Test sets. Default: those in the folder tests next to the flow"),
  Argument.variadic({ min: 0 })
)
const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))
const json = flag("json", "Print the results as JSON")
const junit = Flag.String("junit").pipe(
  Flag.withDescription("Write the results to this file as JUnit XML"),
  Flag.optional
)
const baseline = Flag.String("baseline").pipe(
  Flag.withDescription("JSON of an earlier run: exit with 1 if a value that was right no longer is"),
  Flag.optional
)
const record = flag("record", "Ask the configured models, and record their answers next to the test set")

/** Opens all test sets, or ends the command with all their problems. */
const openSets = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  of: CheckedFlow<never>,
  asJson: boolean
) {
  const opened = yield* Effect.forEach(files, (file) => Effect.result(openSet(file, of)))
  const broken = opened.filter(Result.isFailure).map(({ failure }) => failure)
  if (broken.length === 0) return opened.filter(Result.isSuccess).map(({ success }) => success)
  if (asJson) yield* Console.log(JSON.stringify({ problems: broken.flatMap(({ problems }) => problems) }))
  else for (const { message } of broken) yield* Console.log(isColoured() ? coloured(message) : message)
  return yield* new Failed({})
})

const runOne = Effect.fnUntraced(function* (
  of: CheckedFlow<never>,
  set: OpenSet,
  asJson: boolean,
  keep: boolean
) {
  const progress = showProgress(asJson)
  const running = Effect.fnUntraced(
    function* () {
      return keep
        ? yield* recording(set.file, runSet(of, set, progress.show))
        : { result: yield* replaySet(of, set, progress.show), recorded: undefined }
    },
    Effect.ensuring(Effect.sync(progress.clear)),
    Effect.catchTag("TestSetProblems", ({ message }) => fail(message))
  )
  const { recorded, result } = yield* running()
  return { file: set.file, score: scoreSet(result, set.set.minimum), result, recorded }
})

/** Compares a run with an earlier one whose JSON is in a file. */
const comparedWith = Effect.fnUntraced(function* (file: string, now: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.catch(fs.readFileString(file), (error) => missingFile(file, error))
  const [before, after] = [readRun(text), readRun(now)]
  if (Result.isFailure(before) || Result.isFailure(after))
    return yield* fail(`${file} is not the output of docflow test --json`)
  return compareRuns(before.success, after.success)
})

const setJson = ({ file, score }: { readonly file: string; readonly score: SetScore }) => ({ file, ...score })

/** `docflow test`: runs a flow on documents whose values are known. */
export const testCommand = Command.make("test", { flow, sets, json, record, junit, baseline }, (input) =>
  Effect.gen(function* () {
    const flowFile = yield* flowFileOf(input.flow)
    const compiled = yield* openFlow(flowFile)
    const files = input.sets.length > 0 ? input.sets : yield* setsBeside(flowFile)
    if (files.length === 0)
      return yield* fail(`No test set found for ${flowFile}. Put one into its folder tests`)
    const opened = yield* openSets(files, compiled, input.json)
    const ran = yield* Effect.forEach(opened, (set) => runOne(compiled, set, input.json, input.record))
    if (!input.json) {
      for (const { file, recorded, score } of ran) {
        yield* Console.log(describeSet(file, score))
        if (recorded !== undefined)
          yield* Console.log(
            `${recorded.file}: ${recorded.answers} recorded ${recorded.answers === 1 ? "answer" : "answers"} of models`
          )
      }
    }
    const holds = ran.every(({ score }) => score.holds)
    const { id, version } = compiled.definition
    const all = ran.map(setJson)
    const summary = summaryOf(all)
    if (Option.isSome(input.junit)) {
      const [file, write] = [input.junit.value, yield* durableWriter]
      yield* Effect.catch(write(file, junitOf(id, ran)), (error) => fail(cannotWrite(file, error)))
    }
    const compared = Option.isSome(input.baseline)
      ? yield* comparedWith(input.baseline.value, JSON.stringify({ sets: all }))
      : undefined
    if (input.json) {
      const comparison = compared === undefined ? {} : { comparison: compared }
      yield* Console.log(JSON.stringify({ flow: id, version, holds, summary, sets: all, ...comparison }))
    } else {
      if (ran.length > 1) yield* Console.log(describeSummary(summary))
      if (compared !== undefined)
        yield* Console.log(
          [
            `${compared.compared} expectations compared: ${compared.improved.length} became right, ${compared.regressed.length} became wrong`,
            ...compared.regressed.map((name) => `  became wrong: ${name}`),
            ...compared.improved.map((name) => `  became right: ${name}`)
          ].join("\n")
        )
    }
    if ((compared?.regressed.length ?? 0) > 0) return yield* new Failed({})
    if (!holds) return yield* new Failed({})
  })
).pipe(Command.withDescription("Run a flow on documents with known values"))
