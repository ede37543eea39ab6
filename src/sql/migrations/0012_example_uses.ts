import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How often an example was used; and examples that were imported, which belong to no execution. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table examples
    add column uses int not null default 0,
    add column last_used_at timestamptz,
    alter column execution_id drop not null`
})
