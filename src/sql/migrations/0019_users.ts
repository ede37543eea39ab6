import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Users with a role, and their sessions. The sessions are not in `dashboard_sessions`: an older process would take every
 * session that it finds there for one of an administrator.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table users (
    id text primary key,
    name text not null unique,
    role text not null check (role in ('viewer', 'reviewer', 'operator', 'administrator')),
    password text,
    issuer text,
    subject text,
    session_version int not null default 1,
    disabled_at timestamptz,
    created_at timestamptz not null,
    last_sign_in_at timestamptz,
    unique (issuer, subject),
    check ((password is null) <> (subject is null)),
    check ((issuer is null) = (subject is null))
  )`
  // A session is valid while its version is the user's: a new password or a disabled user ends all of them at once.
  yield* sql`create table user_sessions (
    hash text primary key,
    user_id text not null references users,
    session_version int not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null
  )`
  yield* sql`create index user_sessions_idle on user_sessions (last_used_at)`
})
