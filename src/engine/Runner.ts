import { Clock, Context, DateTime, Deferred, Effect, Layer, Option, Schedule, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { DocumentRef } from "../domain/Document.ts"
import { Environment } from "../domain/Organization.ts"
import type { BlobMissing, BlobStoreFailure } from "../providers/blobs/Blobs.ts"
import { outageOf } from "../sql/Outage.ts"
import { describeDefect } from "./DescribeDefect.ts"
import { EventLog } from "./EventLog.ts"
import { ExecutionWrites } from "./ExecutionWrites.ts"
import { FlowCatalog } from "./FlowCatalog.ts"
import { FlowFailure } from "./FlowFailure.ts"
import { type FlowInput, runFlow, type Surroundings } from "./FlowProgram.ts"
import { Journal } from "./Journal.ts"
import { type End, Outcome } from "./Outcome.ts"
import { RunQueue, type Turn } from "./RunQueue.ts"
import { SentRecords } from "./SentRecords.ts"
import { Signals } from "./Signals.ts"

/** Number of runners that may die over an execution before it is failed. */
const maxRunnerDeaths = 5
/** Progress inside a step is written at most this often, in milliseconds. */
const progressIntervalMs = 300

const StartedRow = Schema.Struct({
  flow_id: Schema.String,
  version: Schema.String,
  organization_id: Schema.String,
  environment: Environment,
  runner_starts: Schema.Int,
  /** Whether nobody started it before; a start that was handed over is not counted in `runner_starts`. */
  first_start: Schema.Boolean,
  replay_of: Schema.NullOr(Schema.String),
  document: Schema.NullOr(DocumentRef),
  variables: Schema.Record(Schema.String, Schema.Unknown)
})
type StartedRow = typeof StartedRow.Type
const decodeStarted = Schema.decodeUnknownEffect(StartedRow)

/** Doubles from 0.2 s and stays at 5 s. */
const storageBackoff = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")])

/** The execution ended while it ran here: cancelled, or finished by another runner. */
class EndedElsewhere extends Schema.TaggedError<EndedElsewhere>()("EndedElsewhere", {}) {}

/** Storage failed inside a step that expected no failure of it. */
class StorageDied extends Schema.TaggedError<StorageDied>()("StorageDied", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

type StorageFailure = SqlError.SqlError | BlobMissing | BlobStoreFailure

/**
 * The starts of an execution by this process that were counted and did not end it. When storage fails, not the runner, the
 * next start takes them back in its own statement: at the time of the failure nothing can be written.
 */
interface Tries {
  unfinished: number
}

/** Runs executions, each to its end and up to a number at once. */
export class Runner extends Context.Service<
  Runner,
  {
    /**
     * Takes an execution to its end, from wherever the journal says it is. Interrupting it hands the execution over: it
     * stays `running`, and the next runner goes on.
     */
    run(executionId: string, turn?: Turn): Effect.Effect<void>
    /** Whether the execution runs here or waits for its turn here. */
    knows(executionId: string): boolean
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
        const writes = yield* ExecutionWrites
        const signals = yield* Signals
        const places = new RunQueue(concurrency)
        const known = new Set<string>()

        const start = Effect.fnUntraced(function* (executionId: string, owed: number) {
          const at = yield* DateTime.nowAsDate
          const { begun } = yield* writes.write(executionId, at, { act: "start", owed })
          yield* signals.announceChange(executionId)
          if (begun === null) return Option.none<StartedRow>()
          return Option.some(yield* Effect.orDie(decodeStarted(begun)))
        })

        /** A runner that stops cleanly did not die over the execution. */
        const handOver = (executionId: string) =>
          Effect.ignore(
            sql`update executions set runner_starts = greatest(runner_starts - 1, 0)
                where id = ${executionId} and status = 'running'`
          )

        /** What earlier runners did; the first one finds nothing there, unless a replay took results over. */
        const earlierRecords = (executionId: string, { first_start, replay_of }: StartedRow) =>
          first_start && replay_of === null ? Effect.succeed([]) : journal.records(executionId)

        const surroundings = Effect.fnUntraced(function* (
          executionId: string,
          row: StartedRow,
          sent: SentRecords
        ) {
          const records = new Map(
            (yield* earlierRecords(executionId, row)).map((record) => [record.path, record] as const)
          )
          let reportedAt = 0
          const made: Surroundings<StorageFailure | EndedElsewhere> = {
            recall: (path) => records.get(path),
            checkpoint: (path, percentage) =>
              Effect.flatMap(
                log.stepStarted(executionId, path, percentage),
                (runs): Effect.Effect<void, SqlError.SqlError | EndedElsewhere> =>
                  runs ? sent.settle : new EndedElsewhere()
              ),
            record: (record, percentage) =>
              Effect.map(journal.record(executionId, record, percentage), (kept) => sent.add(kept)),
            progress: (path, percentage) =>
              Effect.gen(function* () {
                const now = yield* Clock.currentTimeMillis
                if (now - reportedAt < progressIntervalMs) return
                reportedAt = now
                yield* Effect.ignore(log.progress(executionId, path, percentage))
              })
          }
          return made
        })

        const work = Effect.fnUntraced(function* (executionId: string, row: StartedRow, sent: SentRecords) {
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
          const output = yield* runFlow(flow.value, input, yield* surroundings(executionId, row, sent))
          return { status: "completed", output } satisfies End
        })

        const once = Effect.fnUntraced(function* (executionId: string, tries: Tries) {
          // Watched before the row is read: an end between the two is seen in the row, one after it wakes the watch.
          const ended = yield* signals.watchEnd(executionId)
          const row = yield* start(executionId, tries.unfinished)
          if (Option.isNone(row)) return
          tries.unfinished = 1
          const sent = new SentRecords()
          const end = yield* work(executionId, row.value, sent).pipe(
            Effect.catchTag("FlowFailure", (failure) => Effect.succeed(failedWith(failure))),
            Effect.catchDefect((defect) =>
              outageOf(defect) === undefined
                ? Effect.as(
                    Effect.logError("The execution died", describeDefect(defect)),
                    failedWith(unexpected)
                  )
                : new StorageDied({ message: "Storage failed inside a step", cause: defect })
            ),
            Effect.raceFirst(Effect.andThen(Deferred.await(ended), new EndedElsewhere())),
            Effect.onInterrupt(() => Effect.andThen(Effect.ignore(sent.settle), handOver(executionId)))
          )
          yield* sent.check
          yield* outcome.end(executionId, end)
          yield* Effect.logInfo("execution ended").pipe(
            Effect.annotateLogs({ flow: row.value.flow_id, version: row.value.version, status: end.status })
          )
        })

        const run = Effect.fn("Runner.run")(
          (executionId: string, turn: Turn = { organizationId: "", waited: false }) => {
            const tries: Tries = { unfinished: 0 }
            return Effect.scoped(once(executionId, tries)).pipe(
              Effect.catchTag("EndedElsewhere", () => Effect.void),
              Effect.tapError((error) =>
                Effect.logWarning("Storage failed; the execution is tried again", error.message)
              ),
              Effect.retry(storageBackoff),
              Effect.orDie,
              (work) => places.with(turn, work),
              (work) =>
                Effect.acquireUseRelease(
                  Effect.sync(() => void known.add(executionId)),
                  () => work,
                  () => Effect.sync(() => void known.delete(executionId))
                )
            )
          },
          (effect, executionId) => Effect.annotateLogs(effect, { executionId })
        )

        return Runner.of({ run, knows: (executionId) => known.has(executionId) })
      })
    )
}

const failedWith = ({ code, message, step }: FlowFailure): End => ({
  status: "failed",
  error: step === undefined ? { code, message } : { code, message, step }
})

const diedTooOften = new FlowFailure({
  code: "EXECUTION_FAILED",
  message: `The process that ran this execution exited unexpectedly ${maxRunnerDeaths} times; the execution is not retried`
})

const unexpected = new FlowFailure({
  code: "EXECUTION_FAILED",
  message: "The execution failed unexpectedly"
})

const goneMeanwhile = (row: StartedRow) =>
  new FlowFailure({
    code: "EXECUTION_FAILED",
    message:
      row.document === null
        ? "The document was erased before the execution ended"
        : `Version ${row.version} of the flow ${row.flow_id} is no longer available`
  })
