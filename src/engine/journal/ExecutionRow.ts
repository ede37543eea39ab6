import { Effect, Schema } from "effect"
import { cleanText, jsonText } from "../../sql/Json.ts"
import { decodeJson, encodeJson } from "../../support/JsonSlices.ts"
import type { CommittedEnd } from "./CommittedEnd.ts"
import {
  type Execution,
  ExecutionError,
  ExecutionStatus,
  isFinished,
  Metadata
} from "../../domain/Execution.ts"

/** The columns that the API shows of an execution. The output is text, so that the driver does not parse a large one in one go. */
export const executionColumns =
  "id, flow_id, version, status, created_at, ended_at, progress_step, progress_percentage, output::text, error, " +
  "metadata, page_count, charged::float8, replay_of, reused_steps"

/** The same without the output, which may be large. */
export const outlinedColumns = executionColumns.replace(" output::text,", " null::text as output,")

const ExecutionRow = Schema.Struct({
  id: Schema.String,
  flow_id: Schema.String,
  version: Schema.String,
  status: ExecutionStatus,
  created_at: Schema.Date,
  ended_at: Schema.NullOr(Schema.Date),
  progress_step: Schema.NullOr(Schema.String),
  progress_percentage: Schema.Finite,
  output: Schema.NullOr(Schema.String),
  error: Schema.NullOr(ExecutionError),
  metadata: Schema.NullOr(Metadata),
  page_count: Schema.Int,
  charged: Schema.Finite,
  replay_of: Schema.NullOr(Schema.String),
  reused_steps: Schema.NullOr(Schema.Array(Schema.String))
})
/** A row with its output as a value. */
type ExecutionRow = Omit<typeof ExecutionRow.Type, "output"> & { readonly output: unknown }

const decode = Schema.decodeUnknownEffect(Schema.Array(ExecutionRow))

/** Reads executions from rows of `executionColumns`. `withMetrics` adds the metrics of failed and cancelled ones too. */
export const executionsFrom = (
  rows: ReadonlyArray<unknown>,
  withMetrics = false
): Effect.Effect<ReadonlyArray<Execution>> =>
  Effect.flatMap(Effect.orDie(decode(rows)), (decoded) =>
    Effect.forEach(decoded, (row) =>
      Effect.map(row.output === null ? Effect.succeed(null) : decodeJson(Buffer.from(row.output)), (output) =>
        executionOf({ ...row, output }, withMetrics)
      )
    )
  )

/**
 * The execution as reading it would return it, for one that ended in the process that accepted it, with `pageCount`
 * pages. It was `pending`, and is not a replay.
 */
export const endedExecution = (
  pending: Execution,
  pageCount: number,
  { at, charged, error, output, status }: CommittedEnd
): Effect.Effect<Execution> =>
  Effect.map(asStored(output), (stored) =>
    executionOf(
      {
        id: pending.id,
        flow_id: pending.flowId,
        version: pending.version,
        status,
        created_at: new Date(pending.createdAt),
        ended_at: at,
        progress_step: null,
        progress_percentage: 100,
        output: stored,
        error: error === null ? null : { ...error, message: cleanText(error.message) },
        metadata: pending.metadata ?? null,
        page_count: pageCount,
        charged,
        replay_of: null,
        reused_steps: null
      },
      false
    )
  )

/** A value as the database stores it. */
const asStored = (value: unknown) => Effect.flatMap(encodeJson(value ?? null, jsonText), decodeJson)

const executionOf = (row: ExecutionRow, withMetrics: boolean): Execution => ({
  id: row.id,
  flowId: row.flow_id,
  version: row.version,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  ...stateOf(row),
  ...(row.ended_at !== null && (row.status === "completed" || (withMetrics && isFinished(row.status)))
    ? { metrics: metricsOf(row, row.ended_at) }
    : {}),
  ...(row.metadata === null ? {} : { metadata: row.metadata }),
  ...(row.replay_of === null ? {} : { replayOf: row.replay_of, reusedSteps: row.reused_steps ?? [] })
})

const stateOf = (row: ExecutionRow): Partial<Execution> => {
  const at = row.ended_at?.toISOString() ?? ""
  switch (row.status) {
    case "pending":
      return {}
    case "running":
      return {
        progress: { step: row.progress_step ?? "", percentage: Math.round(row.progress_percentage * 10) / 10 }
      }
    case "completed":
      return { completedAt: at, ...(row.output === null ? {} : { output: row.output }) }
    case "failed":
      return { completedAt: at, ...(row.error === null ? {} : { error: row.error }) }
    case "cancelled":
      return { cancelledAt: at }
  }
}

const metricsOf = (row: ExecutionRow, endedAt: Date) => ({
  durationMs: endedAt.getTime() - row.created_at.getTime(),
  pageCount: row.page_count,
  creditsUsed: row.charged
})
