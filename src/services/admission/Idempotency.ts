import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { ValidationFailed } from "../../domain/Errors.ts"

/** A request that may have an idempotency key. */
interface Keyed {
  readonly idempotencyKey?: string
}

/** The key was used for a different request. */
export const otherRequest = new ValidationFailed({
  message: "The idempotency key was used for another request in the last 24 hours",
  details: {
    field: "idempotencyKey",
    reason: "flow, version, input, metadata and webhook must be those of the first request with this key"
  }
})

/**
 * The execution that an earlier request with the same key created; undefined if there is none, or no key. Fails if the
 * earlier request was a different one. This is checked again when the execution is created.
 */
export const find = Effect.fnUntraced(function* (caller: Caller, request: Keyed, fingerprint: string) {
  const key = request.idempotencyKey
  if (key === undefined) return undefined
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ fingerprint: string; execution_id: string }>`
    select fingerprint, execution_id from idempotency_keys
    where organization_id = ${caller.organizationId} and environment = ${caller.environment} and key = ${key}
      and created_at > now() - interval '24 hours'`
  if (row === undefined) return undefined
  return row.fingerprint === fingerprint ? row.execution_id : yield* otherRequest
})
