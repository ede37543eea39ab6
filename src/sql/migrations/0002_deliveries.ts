import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The webhooks to send, and the log of every attempt. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `lease` names the attempt that is under way: only it may write the result. `host` is whom a delivery waits for; it
  // shares out connections and decides nothing about safety.
  yield* sql`create table deliveries (
    id text primary key,
    execution_id text not null references executions,
    event text not null,
    url text not null,
    host text generated always as (lower(substring(url from '^[a-zA-Z]+:[^[:alnum:][]*([^/?#]*)'))) stored,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts_made int not null default 0,
    next_attempt_at timestamptz,
    lease text,
    leased_until timestamptz,
    created_at timestamptz not null
  )`
  yield* sql`create index deliveries_due on deliveries (next_attempt_at) where status = 'pending'`
  yield* sql`create index deliveries_leased on deliveries (leased_until) where leased_until is not null`
  yield* sql`create index deliveries_of_execution on deliveries (execution_id)`

  yield* sql`create table delivery_attempts (
    id bigint generated always as identity primary key,
    delivery_id text not null references deliveries,
    at timestamptz not null,
    duration_ms double precision not null,
    status int,
    error text
  )`
  yield* sql`create index delivery_attempts_of_delivery on delivery_attempts (delivery_id, id)`
})
