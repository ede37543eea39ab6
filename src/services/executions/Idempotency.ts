import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { ValidationFailed } from "../../domain/Errors.ts"

/** A request that may have a key. */
interface Keyed {
  readonly idempotencyKey?: string
}

/** A key is remembered this long from the execution's creation. */
const window = Duration.hours(24)

/**
 * The execution that an earlier request with the same key made; undefined when there is none, or no key. Fails when the
 * earlier request was another one.
 */
export const find = Effect.fnUntraced(function* (caller: Caller, request: Keyed, fingerprint: string) {
  const key = request.idempotencyKey
  if (key === undefined) return undefined
  const sql = yield* SqlClient.SqlClient
  const since = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, window))
  const [row] = yield* sql<{ fingerprint: string; execution_id: string }>`
    select fingerprint, execution_id from idempotency_keys
    where organization_id = ${caller.organizationId} and environment = ${caller.environment} and key = ${key}
      and created_at > ${since}`
  if (row === undefined) return undefined
  if (row.fingerprint === fingerprint) return row.execution_id
  return yield* new ValidationFailed({
    message: "The idempotency key was used for another request within 24 hours",
    details: {
      field: "idempotencyKey",
      reason: "flow, version, input, metadata and webhook must be those of the first request with this key"
    }
  })
})

/** Remembers the key of a request that made an execution. The caller is in the transaction that creates it. */
export const keep = Effect.fnUntraced(function* (
  caller: Caller,
  request: Keyed,
  fingerprint: string,
  executionId: string,
  at: Date
) {
  const key = request.idempotencyKey
  if (key === undefined) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into idempotency_keys (organization_id, environment, key, fingerprint, execution_id, created_at)
    values (${caller.organizationId}, ${caller.environment}, ${key}, ${fingerprint}, ${executionId}, ${at})
    on conflict (organization_id, environment, key) do update
      set fingerprint = excluded.fingerprint, execution_id = excluded.execution_id, created_at = excluded.created_at`
})
