import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The keys of examples as numbers, in the order in which examples were learned: those with the most keys in common with a
 * document are counted in the index alone.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table examples add column number bigint generated always as identity unique`
  yield* sql`create table example_keys (
    key bigint not null,
    number bigint not null references examples (number) on delete cascade,
    primary key (key, number)
  )`
  // For the deletion of examples.
  yield* sql`create index example_keys_of_example on example_keys (number)`
  yield* sql`create function index_example() returns trigger language plpgsql as $$
    begin
      insert into example_keys (key, number)
      select hashtextextended(key, 0), new.number from unnest(new.keys) as key
      on conflict do nothing;
      return null;
    end $$`
  yield* sql`insert into example_keys (key, number)
    select distinct hashtextextended(key, 0), number from examples, unnest(keys) as key`
  yield* sql`create trigger index_example after insert on examples for each row execute function index_example()`
})
