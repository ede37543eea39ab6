import { Context, DateTime, Deferred, Effect, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { ModelRun } from "../../providers/llm/ModelRun.ts"
import { FailureCode } from "../../domain/FailureCode.ts"
import { outageOf } from "../../sql/Outage.ts"
import { describeDefect, type FlowFailure } from "../program/FlowFailure.ts"
import { EventLog } from "../journal/EventLog.ts"
import { ExecutionWrites } from "../journal/ExecutionWrites.ts"
import { reportRunning, reportWaiting } from "./ExecutionMetrics.ts"
import { FlowCatalog } from "../program/FlowCatalog.ts"
import { type FlowInput, runFlow, type RuntimeHooks } from "../program/FlowProgram.ts"
import { Journal } from "../journal/Journal.ts"
import { makeKeptAnswers } from "../journal/PaidAnswers.ts"
import { type End, Outcome } from "../journal/Outcome.ts"
import { makeProgressReports } from "../journal/Progress.ts"
import { SentWrites } from "../journal/SentWrites.ts"
import { Signals } from "../signals/Signals.ts"
import { FairSlots } from "../../support/FairSlots.ts"
import { inSpan } from "../../support/InSpan.ts"
import { ExecutionFailed } from "../../domain/Errors.ts"
import { DocumentRef } from "../../domain/Document.ts"
import { Environment } from "../../domain/Organization.ts"

/** An execution that waits to run, and how urgent it is. */
export interface Turn {
  readonly organizationId: string
  /** Whether a caller waits for the result in the same request. */
  readonly waited: boolean
}

/** The part of the slots that no single organization may hold: the first execution of another one starts at once. */
const partForOthers = 1 / 8

/** What a runner needs to know about an execution that it starts. */
const StartedRow = Schema.Struct({
  flow_id: Schema.String,
  version: Schema.String,
  organization_id: Schema.String,
  environment: Environment,
  runner_starts: Schema.Int,
  /** Whether it has not been started before; a start that was handed over is not counted in `runner_starts`. */
  first_start: Schema.Boolean,
  replay_of: Schema.NullOr(Schema.String),
  document: Schema.NullOr(DocumentRef),
  variables: Schema.Record(Schema.String, Schema.Unknown)
})
type StartedRow = typeof StartedRow.Type

/** The number of runners that may die over an execution, since its last recorded step, before it fails. */
const maxRunnerDeaths = 10

/** The end of an execution whose flow failed. */
const failedWith = ({ _tag: code, message, step }: FlowFailure): End => ({
  status: "failed",
  error: step === undefined ? { code, message } : { code, message, step }
})

/** The failure of an execution that several runners died over. */
const diedTooOften = new ExecutionFailed({
  message: `The process that ran this execution exited unexpectedly ${maxRunnerDeaths} times; the execution is not retried`
})

/** The failure of an execution that a defect ended. */
const unexpected = new ExecutionFailed({
  message: "The execution failed unexpectedly"
})

/** The failure of an execution whose document or version no longer exists. */
const goneMeanwhile = (row: StartedRow) =>
  new ExecutionFailed({
    message:
      row.document === null
        ? "The document was erased before the execution ended"
        : `Version ${row.version} of the flow ${row.flow_id} is no longer available`
  })

/** The maximum number of pending writes while steps that only compute continue. */
const mostSent = 16

const decodeStarted = Schema.decodeUnknownEffect(StartedRow)

/** Doubles from 0.2 s and stays at 5 s. */
const storageBackoff = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")])

/** The execution ended while it ran here: cancelled, or finished by another runner. */
class EndedElsewhere extends Schema.TaggedError<EndedElsewhere>()("EndedElsewhere", {}) {}

/** Storage failed inside a step that does not handle it. */
class StorageDied extends Schema.TaggedError<StorageDied>()("StorageDied", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

type StorageFailure = SqlError.SqlError | BlobStoreFailure

/**
 * The starts of an execution by this process. If storage failed rather than the runner, starts that were counted and
 * did not end it are subtracted by the next start in its own statement, because nothing can be written at the time of
 * the failure.
 */
interface Tries {
  unfinished: number
}

/** Runs executions, each to its end and up to a number at once. */
export class Runner extends Context.Service<
  Runner,
  {
    /**
     * Runs an execution to its end, from where the journal ends. Interruption hands the execution over: it stays
     * `running`, and the next runner continues.
     */
    run(executionId: string, turn?: Turn): Effect.Effect<void>
    /** Whether the execution runs here or waits for its turn here. */
    knows(executionId: string): boolean
    /** Whether more executions wait here than run at once. */
    isBusy(): boolean
  }
>()("docflow/engine/Runner") {
  /** A runner that works on `concurrency` executions at once. */
  static readonly layer = (concurrency: number) =>
    Layer.effect(
      Runner,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const catalog = yield* FlowCatalog
        const journal = yield* Journal
        const log = yield* EventLog
        const outcome = yield* Outcome
        const keptAnswers = yield* makeKeptAnswers
        const writes = yield* ExecutionWrites
        const signals = yield* Signals
        const slots = new FairSlots<string>(concurrency, Math.floor(concurrency * (1 - partForOthers)))
        const known = new Set<string>()
        yield* Effect.andThen(
          Effect.suspend(() => reportRunning(slots.running)),
          Effect.suspend(() => reportWaiting(slots.waiting))
        ).pipe(Effect.repeat(Schedule.spaced("2 seconds")), Effect.forkScoped)

        const start = Effect.fnUntraced(function* (executionId: string, tries: Tries) {
          const { begun } = yield* writes.write(executionId, yield* DateTime.nowAsDate, {
            act: "start",
            owed: tries.unfinished
          })
          if (begun === null) return Option.none<StartedRow>()
          tries.unfinished = 1
          return Option.some(yield* Effect.orDie(decodeStarted(begun)))
        })

        /** Waits until all sent writes are committed. Fails if the execution ended meanwhile. */
        const settle = Effect.fnUntraced(function* (sent: SentWrites) {
          if (!(yield* sent.settle)) return yield* new EndedElsewhere()
        })

        /** Hands the execution over: a runner that stops cleanly does not count as dead. */
        const handOver = (executionId: string) =>
          Effect.ignore(
            sql`update executions set runner_starts = greatest(runner_starts - 1, 0)
                where id = ${executionId} and status = 'running'`
          )

        /** The records of earlier runners; empty at the first start, unless a replay reused results. */
        const earlierRecords = (executionId: string, row: StartedRow) =>
          isNew(row) ? Effect.succeed([]) : journal.records(executionId)

        const hooksFor = Effect.fnUntraced(function* (
          executionId: string,
          row: StartedRow,
          sent: SentWrites
        ) {
          const records = new Map(
            (yield* earlierRecords(executionId, row)).map((record) => [record.path, record] as const)
          )
          const progress = yield* makeProgressReports((path, percentage) =>
            Effect.ignore(log.progress(executionId, path, percentage))
          )
          const made: RuntimeHooks<StorageFailure | EndedElsewhere> = {
            recall: (path) => records.get(path),
            checkpoint: (path, percentage, onlyComputes) =>
              Effect.flatMap(log.stepStarted(executionId, path, percentage), (begun) => {
                sent.add(begun)
                return onlyComputes && sent.count < mostSent ? Effect.void : settle(sent)
              }),
            record: (record, percentage) => {
              progress.ended(record.path)
              return Effect.map(journal.record(executionId, record, percentage), (kept) => sent.add(kept))
            },
            progress: progress.report
          }
          return made
        })

        const work = Effect.fnUntraced(function* (executionId: string, row: StartedRow, sent: SentWrites) {
          if (row.runner_starts > maxRunnerDeaths) return yield* diedTooOften
          const flow = yield* catalog.find(row.flow_id, row.version)
          if (Option.isNone(flow) || row.document === null) return yield* goneMeanwhile(row)
          const input: FlowInput = {
            executionId,
            organizationId: row.organization_id,
            environment: row.environment,
            document: row.document,
            variables: row.variables
          }
          const hooks = yield* hooksFor(executionId, row, sent)
          const output = yield* Effect.provideService(runFlow(flow.value, input, hooks), ModelRun, {
            organization: row.organization_id,
            answers: yield* keptAnswers(executionId, isNew(row))
          })
          return { status: "completed", output } satisfies End
        })

        const once = Effect.fnUntraced(function* (executionId: string, tries: Tries) {
          // Watch before reading the row: an earlier end is seen in the row, and a later one wakes the watch.
          const ended = yield* signals.watchEnd(executionId)
          const sent = new SentWrites()
          const started = yield* start(executionId, tries)
          if (Option.isNone(started)) return
          const row = started.value
          const end = yield* work(executionId, row, sent).pipe(
            Effect.catchTag(FailureCode.literals, (failure) => Effect.succeed(failedWith(failure))),
            Effect.catchDefect((defect) =>
              outageOf(defect) === undefined
                ? Effect.as(
                    Effect.logError("The execution died", describeDefect(defect)),
                    failedWith(unexpected)
                  )
                : new StorageDied({ message: "Storage failed inside a step", cause: defect })
            ),
            Effect.raceFirst(Effect.flatMap(Deferred.await(ended), () => new EndedElsewhere())),
            Effect.onInterrupt(() => Effect.andThen(Effect.ignore(sent.settle), handOver(executionId)))
          )
          yield* sent.check
          yield* outcome.end(executionId, end)
          yield* Effect.logInfo("execution ended").pipe(
            Effect.annotateLogs({ flow: row.flow_id, version: row.version, status: end.status })
          )
        })

        const run = (executionId: string, turn: Turn = { organizationId: "", waited: false }) => {
          const tries: Tries = { unfinished: 0 }
          return Effect.scoped(once(executionId, tries)).pipe(
            Effect.catchTag("EndedElsewhere", () => Effect.void),
            Effect.tapError((error) =>
              Effect.logWarning("Storage failed; the execution is tried again", error.message)
            ),
            Effect.retry(storageBackoff),
            Effect.orDie,
            (work) => slots.with(turn.organizationId, work, turn.waited),
            (work) =>
              Effect.acquireUseRelease(
                Effect.sync(() => void known.add(executionId)),
                () => work,
                () => Effect.sync(() => void known.delete(executionId))
              ),
            Effect.annotateLogs({ executionId }),
            inSpan("Runner.run")
          )
        }

        return Runner.of({
          run,
          knows: (executionId) => known.has(executionId),
          isBusy: () => slots.waiting > concurrency
        })
      })
    )
}

/** Whether nothing of it can have been kept before. */
const isNew = ({ first_start, replay_of }: StartedRow): boolean => first_start && replay_of === null
