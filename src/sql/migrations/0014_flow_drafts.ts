import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Drafts of flows that were run without being saved: an execution of one may have to continue in another process. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table flow_drafts (
    flow_id text not null,
    version text not null,
    source text not null,
    pins jsonb not null,
    stored_at timestamptz not null,
    primary key (flow_id, version)
  )`
})
