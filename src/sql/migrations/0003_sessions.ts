import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who is signed in to the dashboard, and the links that let somebody sign in; of both only the SHA-256 is kept. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create table dashboard_sessions (
    hash text primary key,
    created_at timestamptz not null,
    last_used_at timestamptz not null
  )`
  yield* sql`create index dashboard_sessions_idle on dashboard_sessions (last_used_at)`

  yield* sql`create table sign_in_links (
    hash text primary key,
    expires_at timestamptz not null
  )`
})
