import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Documents that people checked, by which the next ones of their layout are read. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create table examples (
    id text primary key,
    execution_id text not null references executions on delete cascade,
    organization_id text not null,
    environment text not null,
    step text not null,
    flow_id text not null,
    created_at timestamptz not null,
    enabled boolean not null default true,
    keys text[] not null,
    words json not null,
    fields json not null,
    unique (execution_id, step)
  )`
  yield* sql`create index examples_of_organization on examples (organization_id, created_at)`
  // Every key says whose it is: one index finds the layouts of one organization and environment.
  yield* sql`create index examples_by_key on examples using gin (keys)`
})
