import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The two statements of every run as functions whose plans are kept. Otherwise PostgreSQL plans them anew each time, because it
 * takes the values of their arrays into account: a fifth of what they cost. A plan that is kept must not depend on how small the
 * tables were when it was made, so it uses indexes.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Writes of runners, one array element for each execution; the outputs of its steps, and ends with their outputs in the same
  // order, are separated by line feeds, because JSON text has none. Ends come last, after all other writes, because they count
  // the finished steps. They are sorted by organization, because they lock it: processes that lock in the same order cannot
  // deadlock.
  yield* sql`create function write_runs(
      executions text[], writes text[], outputs text[], ends json, end_outputs text
    ) returns table (n int, done boolean, begun json, webhook boolean, charged float8)
    language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    begin
      return query
        select written.n, written.done, written.begun, null::boolean, null::float8
        from (
          select x.* from unnest(executions, writes, outputs) as x(execution, writes, outputs) order by x.execution
        ) run
        cross join lateral write_run(
          run.execution, run.writes::json, string_to_array(run.outputs, chr(10))) written;
      if json_array_length(ends) = 0 then return; end if;
      return query
        select e.n, ended.webhook is not null, null::json, ended.webhook,
          case when ended.webhook is not null then charged_credits(e.execution) end
        from (
          select x.*
          from rows from (
            json_to_recordset(ends) as (
              n int, execution text, moment timestamptz, status text, error json, delivery text),
            unnest(string_to_array(end_outputs, chr(10)))
          ) as x(n, execution, moment, status, error, delivery, output)
          order by (select e.organization_id from executions e where e.id = x.execution), x.execution
        ) e left join lateral end_run(
          e.execution, e.status, nullif(e.output, '')::json, e.error, e.moment, e.delivery) ended on true;
    end $$`

  // As `accept_runs` of 0017, and whether the organization of an acceptance has any example.
  yield* sql`create function accept_new_runs(
      acceptances json, hooks json, organizations text[], environments text[]
    ) returns table (n int, verdict text, found_execution text, credits_available float8, has_examples boolean)
    language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    begin
      return query
        select a.n, a.verdict, a.found_execution, a.credits_available,
          has_examples(organizations[a.n + 1], environments[a.n + 1])
        from accept_runs(acceptances, hooks) a;
    end $$`
})
