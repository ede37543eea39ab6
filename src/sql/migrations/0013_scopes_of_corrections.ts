import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The scopes `corrections:read` and `corrections:write`: whoever may read executions may read their corrections, and
 * `executions:correct` becomes `corrections:write`. They are in a column of their own: processes from before this
 * migration still read `scopes`, and refuse a key with a scope that they do not know. `granted` is null in keys that such a
 * process makes.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function granted_scopes(before text[]) returns text[] language sql immutable as $body$
    select array_remove(before, 'executions:correct')
      || case when 'executions:read' = any (before) then array['corrections:read'] else array[]::text[] end
      || case when 'executions:correct' = any (before) then array['corrections:write'] else array[]::text[] end
  $body$`
  yield* sql`alter table api_keys add column granted text[]`
  yield* sql`update api_keys set granted = granted_scopes(scopes)`
})
