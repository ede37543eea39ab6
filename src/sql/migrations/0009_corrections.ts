import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What people corrected of an execution, and which executions wait for a person. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create table corrections (
    execution_id text primary key references executions on delete cascade,
    revision int not null,
    fields json not null
  )`

  // How many fields a person should look at: raised with each step that lists some, 0 once somebody has.
  yield* sql`alter table executions
    add column review_open int not null default 0,
    add column review_claimed_by text,
    add column review_claimed_at timestamptz`
  yield* sql`create index executions_to_review on executions (organization_id, created_at, id)
    where review_open > 0 and status = 'completed' and erased_at is null`
})
