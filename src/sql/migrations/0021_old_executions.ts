import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Finds executions to be removed, and what belongs to them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // An execution enters it when its output expires: ends are not slowed down.
  yield* sql`create index executions_without_output on executions (ended_at) where output_expired_at is not null`
  yield* sql`create index idempotency_keys_of_execution on idempotency_keys (execution_id)`
})
