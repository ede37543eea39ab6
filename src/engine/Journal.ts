import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type BlobMissing, Blobs, type BlobStoreFailure } from "../providers/Blobs.ts"
import { json, jsonText } from "../sql/Json.ts"
import { BlobUses } from "./BlobUses.ts"
import { StepRecord } from "./StepRecord.ts"

/** Outputs longer than this many characters of JSON are kept in the blob store. */
const inlineLimit = 32_768

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

const decodeRecord = Schema.decodeUnknownEffect(Schema.toType(StepRecord))

/** What finished steps did, so that a step's work is done and paid for once. */
export class Journal extends Context.Service<
  Journal,
  {
    /** Keeps what a step did; the first record of a path stays. */
    record(executionId: string, record: StepRecord): Effect.Effect<void, SqlError.SqlError | BlobStoreFailure>
    /** Every record of an execution, in the order in which the steps started. */
    records(
      executionId: string
    ): Effect.Effect<ReadonlyArray<StepRecord>, SqlError.SqlError | BlobMissing | BlobStoreFailure>
  }
>()("docflow/engine/Journal") {
  static readonly layer = Layer.effect(
    Journal,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blobs = yield* Blobs
      const uses = yield* BlobUses

      const keep = Effect.fnUntraced(function* (executionId: string, output: unknown) {
        const text = jsonText(output ?? null)
        if (text.length <= inlineLimit) return undefined
        return yield* uses.keep(new TextEncoder().encode(text), executionId, "result")
      })

      const record = Effect.fn("Journal.record")(function* (executionId: string, step: StepRecord) {
        const blob = yield* keep(executionId, step.output)
        yield* sql`
          insert into step_results
            (execution_id, path, kind, status, started_at, duration_ms, attempts, output, output_blob, error)
          values (${executionId}, ${step.path}, ${step.kind}, ${step.status}, ${step.startedAt}, ${step.durationMs},
                  ${step.attempts}, ${json(sql, blob === undefined ? step.output : null)}, ${blob ?? null},
                  ${json(sql, step.error)})
          on conflict (execution_id, path) do nothing`
      })

      const outputOf = Effect.fnUntraced(function* (row: typeof Row.Type) {
        if (row.output_blob === null) return row.output
        const bytes = yield* blobs.get(row.output_blob)
        return yield* Effect.orDie(
          Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))(new TextDecoder().decode(bytes))
        )
      })

      const records = Effect.fn("Journal.records")(function* (executionId: string) {
        const rows = yield* sql`
          select path, kind, status, started_at, duration_ms, attempts, output, output_blob, error
          from step_results where execution_id = ${executionId} order by started_at, path`
        const decoded = yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(Row))(rows))
        return yield* Effect.forEach(decoded, (row) =>
          Effect.flatMap(outputOf(row), (output) =>
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
          )
        )
      })

      return Journal.of({ record, records })
    })
  )
}
