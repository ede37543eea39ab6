import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The versions of other flows that a published version runs as steps: settled when it is published. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table flow_versions add column pins jsonb not null default '{}'`
})
