import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Finds the idempotency keys that are over without reading all of them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`
})
