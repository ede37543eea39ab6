import { Context, DateTime, type Deferred, Effect, Layer, Option, Predicate, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import {
  type BlobDamaged,
  type BlobMissing,
  Blobs,
  type BlobStoreFailure
} from "../../providers/blobs/Blobs.ts"
import { jsonText } from "../../sql/Json.ts"
import { decodeJson, encodeJson, jsonSize } from "../../support/JsonSlices.ts"
import { makeSharedCache } from "../../support/SharedCache.ts"
import { BlobUses } from "./BlobUses.ts"
import { ExecutionWrites, type Written } from "./ExecutionWrites.ts"
import { type OutlinedOutput, type OutlinedRecord, outlineOf } from "./RecordOutlines.ts"
import { StepRecord } from "./StepRecord.ts"
import { defined } from "../../support/Defined.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

type BlobFailure = BlobMissing | BlobDamaged | BlobStoreFailure

const compressed = (bytes: Uint8Array) => Effect.promise(() => promisify(gzip)(bytes, { level: 1 }))
const decompressed = (bytes: Uint8Array) => Effect.promise(() => promisify(gunzip)(bytes))

/** Longer outputs, in characters of JSON, are stored as compressed blobs. */
const inlineLimit = 131_072

const Row = Schema.Struct({
  path: Schema.String,
  kind: Schema.String,
  status: StepRecord.fields.status,
  started_at: Schema.Date,
  duration_ms: Schema.Finite,
  attempts: Schema.Int,
  output: Schema.Unknown,
  output_blob: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.Unknown)
})

/** The outlines that are kept in memory, in bytes of their JSON. */
const mostOutlines = 128 * 1024 * 1024

interface Kept {
  readonly outlined: OutlinedOutput
  readonly size: number
}

const decodeRecord = Schema.decodeUnknownEffect(Schema.toType(StepRecord))

/** The number of fields of the step that need review. */
const reviewCount = ({ output }: StepRecord): number => {
  // Outer steps may pass on a list of this name, but not with the values next to it.
  if (!Predicate.isObject(output) || !Object.hasOwn(output, "values")) return 0
  const review = Reflect.get(output, "review")
  return Array.isArray(review) ? review.length : 0
}

/** The finished steps, so that a step's work is done and paid for once. */
export class Journal extends Context.Service<
  Journal,
  {
    /**
     * Stores the record of a step and the progress of the flow; the first record of a path is kept. The returned effect
     * completes once the record is committed. Later writes of the execution take effect after it, or fail with it.
     */
    record(
      executionId: string,
      record: StepRecord,
      percentage: number
    ): Effect.Effect<Deferred.Deferred<Written, SqlError.SqlError>, SqlError.SqlError | BlobStoreFailure>
    /** Every record of an execution, in the order in which the steps started. */
    records(
      executionId: string
    ): Effect.Effect<ReadonlyArray<StepRecord>, SqlError.SqlError | BlobStoreFailure>
    /** As `records`, for people to look at: the pages of documents are next to the outputs, and parsed one by one. */
    outlines(
      executionId: string
    ): Effect.Effect<ReadonlyArray<OutlinedRecord>, SqlError.SqlError | BlobStoreFailure>
  }
>()("docflow/engine/Journal") {
  static readonly layer = Layer.effect(
    Journal,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blobs = yield* Blobs
      const uses = yield* BlobUses
      const writes = yield* ExecutionWrites

      /** A big output is stored as a blob, another as it is. */
      const keep = Effect.fnUntraced(function* (executionId: string, output: unknown) {
        if (output === undefined || output === null) return { output: undefined, blob: undefined }
        if (jsonSize(output, inlineLimit) <= inlineLimit) {
          const text = jsonText(output)
          if (text.length <= inlineLimit) return { output: text, blob: undefined }
        }
        const bytes = yield* Effect.flatMap(encodeJson(output, jsonText), compressed)
        const blob = yield* uses.keep(bytes, executionId, "result")
        return { output: undefined, blob }
      })

      const record = Effect.fnUntraced(function* (executionId: string, step: StepRecord, percentage: number) {
        const { blob, output } = yield* keep(executionId, step.output)
        const { attempts, durationMs, error, kind, path, status } = step
        return yield* writes.offer(executionId, yield* DateTime.nowAsDate, {
          act: "record",
          step: path,
          kind,
          status,
          started: step.startedAt,
          duration: durationMs,
          attempts,
          percentage,
          review: reviewCount(step),
          output,
          blob,
          error,
          entry: {
            step: path,
            ...(status === "skipped" ? {} : { durationMs, attempts }),
            ...defined({ error })
          }
        })
      })

      const rowsOf = Effect.fnUntraced(function* (executionId: string) {
        const rows = yield* sql`
          select path, kind, status, started_at, duration_ms, attempts, output, output_blob, error
          from step_results where execution_id = ${executionId} order by started_at, path`
        return yield* decodeRows(Row, rows)
      })

      const jsonOf = (blob: string) => Effect.flatMap(blobs.get(blob), decompressed)
      const wholeOf = (blob: string) =>
        Effect.map(Effect.flatMap(jsonOf(blob), decodeJson), (output): OutlinedOutput => ({
          output,
          pages: []
        }))

      const outlines = yield* makeSharedCache<Kept, BlobFailure>({
        limit: mostOutlines,
        sizeOf: ({ size }) => size
      })
      const keptOutline = (blob: string) =>
        outlines.get(
          blob,
          Effect.flatMap(jsonOf(blob), (bytes) =>
            Effect.map(outlineOf(bytes), (outlined) => ({ outlined, size: bytes.length }))
          )
        )
      const outlineOfBlob = (blob: string) => Effect.map(keptOutline(blob), ({ outlined }) => outlined)

      /** The records with their outputs; one whose blob is missing or damaged does not count: the step runs again. */
      const withOutputs = Effect.fnUntraced(function* (
        executionId: string,
        ofBlob: (blob: string) => Effect.Effect<OutlinedOutput, BlobFailure>,
        ofValue: (output: unknown) => Effect.Effect<OutlinedOutput>
      ) {
        const found = yield* Effect.forEach(yield* rowsOf(executionId), (row) =>
          Effect.flatMap(
            row.output_blob === null ? ofValue(row.output) : ofBlob(row.output_blob),
            ({ output, pages }) => Effect.map(recordOf(row, output), (record) => ({ record, pages }))
          ).pipe(
            Effect.map(Option.some),
            Effect.catchTag(["BlobMissing", "BlobDamaged"], () =>
              Effect.succeed(Option.none<OutlinedRecord>())
            )
          )
        )
        return found.flatMap(Option.toArray)
      })

      const records = Effect.fn("Journal.records")(function* (executionId: string) {
        const found = yield* withOutputs(executionId, wholeOf, (output) =>
          Effect.succeed({ output, pages: [] })
        )
        return found.map(({ record }) => record)
      })

      const outlined = Effect.fn("Journal.outlines")((executionId: string) =>
        withOutputs(executionId, outlineOfBlob, outlineOfValue)
      )

      return Journal.of({ record, records, outlines: outlined })
    })
  )
}

const outlineOfValue = (output: unknown) => outlineOf(new TextEncoder().encode(jsonText(output ?? null)))

const recordOf = (row: typeof Row.Type, output: unknown) =>
  Effect.orDie(
    decodeRecord({
      path: row.path,
      kind: row.kind,
      status: row.status,
      startedAt: row.started_at,
      durationMs: row.duration_ms,
      attempts: row.attempts,
      output,
      ...(row.error === null ? {} : { error: row.error })
    })
  )
