import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The log of what happened to each execution, and executions that go on from another. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `event_seq` is the number of the last event. Whoever logs one raises it, so the row's lock keeps the log in order.
  yield* sql`alter table executions
    add column event_seq int not null default 0,
    add column replay_of text,
    add column reused_steps json`

  // The execution from which a replay took the result over: nobody pays for it again.
  yield* sql`alter table step_results add column reused_from text`

  yield* sql`create table execution_events (
    execution_id text not null references executions,
    seq int not null,
    at timestamptz not null,
    kind text not null,
    data json,
    primary key (execution_id, seq)
  )`
})
