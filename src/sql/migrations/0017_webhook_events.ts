import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which events a webhook reports: those that the run names, or the ends of the execution if it names none (null). */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table executions add column webhook_events text[]`

  // As `accept_executions` of 0011; `hooks` names the events of those acceptances whose run names some. A replayed or refused
  // one has made no execution of that id.
  yield* sql`create function accept_runs(acceptances json, hooks json)
    returns table (n int, verdict text, found_execution text, credits_available float8)
    language plpgsql set enable_seqscan = off as $$
    begin
      return query select a.n, a.verdict, a.found_execution, a.credits_available from accept_executions(acceptances) a;
      update executions e set webhook_events = h.events
      from json_to_recordset(hooks) as h(execution text, events text[])
      where e.id = h.execution;
    end $$`

  // As `end_execution` of 0007, for runs that name events: an end that is none of them is not sent.
  yield* sql`create function end_run(
      execution text, new_status text, new_output json, new_error json, ended timestamptz, delivery text
    ) returns table (webhook boolean) language plpgsql as $$
    begin
      select e.webhook into webhook
      from end_execution(execution, new_status, new_output, new_error, ended, delivery) e;
      if not found then return; end if;
      if webhook then
        delete from deliveries d using executions e
        where d.id = delivery and e.id = d.execution_id and d.event <> all (e.webhook_events);
        webhook := not found;
      end if;
      return next;
    end $$`
})
