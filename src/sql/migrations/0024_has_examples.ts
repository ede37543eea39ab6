import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether an organization has any example: most have none, and nothing need be looked up for their documents. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Few examples of many organizations make the planner believe that one is found soon, wherever it begins.
  yield* sql`create function has_examples(owner text, environment_of_owner text) returns boolean
    language plpgsql stable set enable_seqscan = off as $$
    begin
      return exists (
        select from examples e where e.organization_id = owner and e.environment = environment_of_owner
      );
    end $$`
})
