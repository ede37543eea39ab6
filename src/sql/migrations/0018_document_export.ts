import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether the documents of an organization may be exported, with the test cases that corrections make. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table organizations add column document_export boolean not null default false`
})
