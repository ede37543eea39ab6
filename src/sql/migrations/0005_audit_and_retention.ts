import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The audit log, which nobody can change, and how long each organization's documents and outputs are kept. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create table audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    action text not null,
    actor text not null,
    subject text,
    organization_id text,
    address text,
    request_id text
  )`
  yield* sql`create index audit_of_organization on audit_log (organization_id, id)`
  yield* sql`create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log is append-only'; end $$`
  yield* sql`create trigger audit_log_is_append_only before update or delete on audit_log
    for each row execute function refuse_change()`
  yield* sql`create trigger audit_log_is_never_emptied before truncate on audit_log
    for each statement execute function refuse_change()`

  yield* sql`alter table organizations
    add column document_retention_hours real not null default 24 check (document_retention_hours >= 0),
    add column output_retention_days real not null default 30 check (output_retention_days >= 0)`
  yield* sql`create index executions_with_document on executions (ended_at)
    where document is not null and ended_at is not null`
  yield* sql`alter table executions add column output_expired_at timestamptz`
  yield* sql`create index executions_with_output on executions (ended_at)
    where output_expired_at is null and ended_at is not null`
})
