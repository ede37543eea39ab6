import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The form of an example's keys: the service gives new ones to examples with keys of an older form. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table examples add column keys_form int not null default 1`
  yield* sql`create index examples_by_form_of_keys on examples (keys_form, number)`
  // Examples are found by their rows in example_keys.
  yield* sql`drop index examples_by_key`
  yield* sql`create or replace function index_example() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        delete from example_keys where number = new.number;
      end if;
      insert into example_keys (key, number)
      select hashtextextended(key, 0), new.number from unnest(new.keys) as key
      on conflict do nothing;
      return null;
    end $$`
  yield* sql`create trigger index_keys_of_example after update of keys on examples
    for each row execute function index_example()`
})
