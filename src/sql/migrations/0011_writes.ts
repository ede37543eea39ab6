import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Functions that write what a runner does, so that one statement can carry the writes of many executions: each write sees
 * those before it, also of the same execution.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Returns what the runner needs to know; null when the execution has ended.
  yield* sql`create function start_execution(execution text, started timestamptz, owed int) returns json
    language plpgsql as $$
    declare
      begun record;
    begin
      update executions e set
        status = 'running', started_at = coalesce(e.started_at, started), event_seq = e.event_seq + 1,
        runner_starts = greatest(e.runner_starts - owed, 0) + 1
      where e.id = execution and e.status in ('pending', 'running')
      returning e.* into begun;
      if not found then return null; end if;
      insert into execution_events (execution_id, seq, at, kind)
      values (execution, begun.event_seq, started, 'execution.running');
      return json_build_object(
        'flow_id', begun.flow_id, 'version', begun.version, 'organization_id', begun.organization_id,
        'environment', begun.environment,
        'runner_starts', begun.runner_starts, 'first_start', begun.started_at = started,
        'replay_of', begun.replay_of, 'document', begun.document, 'variables', begun.variables);
    end $$`

  // False when the execution is not running any more.
  yield* sql`create function begin_step(execution text, step text, percentage real, begun timestamptz) returns boolean
    language plpgsql as $$
    declare
      changed record;
    begin
      update executions e set
        progress_step = step, progress_percentage = greatest(e.progress_percentage, percentage),
        event_seq = e.event_seq + 1
      where e.id = execution and e.status = 'running'
      returning e.event_seq as seq, e.progress_percentage as done into changed;
      if not found then return false; end if;
      insert into execution_events (execution_id, seq, at, kind, data)
      values (execution, changed.seq, begun, 'step.started',
              json_build_object('step', step, 'percentage', round(changed.done::numeric, 1)));
      return true;
    end $$`

  // The first record of a step stays. What an entry of the log says of the step is completed with the percentage.
  yield* sql`create function record_step(
      execution text, step text, step_kind text, outcome text, started timestamptz, duration float8, tries int,
      result json, result_blob text, failure json, percentage real, to_review int, ended timestamptz, entry json
    ) returns void language plpgsql as $$
    declare
      changed record;
    begin
      -- Locked, so that an erasure that is under way ends first: of an erased execution nothing is recorded.
      perform 1 from executions e where e.id = execution and e.erased_at is null for no key update;
      if not found then return; end if;
      insert into step_results
        (execution_id, path, kind, status, started_at, duration_ms, attempts, output, output_blob, error)
      values (execution, step, step_kind, outcome, started, duration, tries, result, result_blob, failure)
      on conflict (execution_id, path) do nothing;
      if not found then return; end if;
      update executions e set
        progress_percentage = greatest(e.progress_percentage, percentage), event_seq = e.event_seq + 1,
        review_open = e.review_open + to_review
      where e.id = execution and e.status = 'running'
      returning e.event_seq as seq, e.progress_percentage as done into changed;
      if not found then return; end if;
      insert into execution_events (execution_id, seq, at, kind, data)
      values (execution, changed.seq, ended, 'step.' || outcome,
              (entry::jsonb || jsonb_build_object('percentage', round(changed.done::numeric, 1)))::json);
    end $$`

  // One write of a batch: done is false when the execution had ended before.
  yield* sql`create function write_execution(
      act text, execution text, moment timestamptz, step text, percentage real, owed int, kind text, status text,
      started timestamptz, duration float8, attempts int, review int, output json, blob text, error json, entry json,
      delivery text
    ) returns table (done boolean, begun json, webhook boolean) language plpgsql as $$
    declare
      sends boolean;
    begin
      case act
        when 'start' then
          begun := start_execution(execution, moment, owed);
          done := begun is not null;
        when 'begin' then
          done := begin_step(execution, step, percentage, moment);
        when 'record' then
          perform record_step(execution, step, kind, status, started, duration, attempts, output, blob, error,
                              percentage, review, moment, entry);
          done := true;
        when 'end' then
          select e.webhook into sends from end_execution(execution, status, output, error, moment, delivery) e;
          done := found;
          webhook := sends;
      end case;
      return next;
    end $$`

  // Accepts an execution together with its document, unless that is stored already. A refused one stores nothing. The lock that keep_blob takes keeps
  // whoever removes unused blobs out until the commit.
  yield* sql`create function accept_with_document(
      bytes bytea, execution text, organization text, key_environment text, flow text, flow_version text,
      accepted_at timestamptz, input_document json, input_variables json, custom_metadata json, pages int, steps int,
      cost numeric, concurrency int, hook_url text, hook_secret text, request text, origin_execution text, reused json,
      idempotency text, request_fingerprint text, remembered_since timestamptz,
      audit_action text, audit_actor text, audit_address text
    ) returns table (verdict text, found_execution text, credits_available float8) language plpgsql as $$
    declare
      answer record;
    begin
      select * into answer from accept_execution(
        execution => execution, organization => organization, key_environment => key_environment, flow => flow,
        flow_version => flow_version, accepted_at => accepted_at, input_document => input_document,
        input_variables => input_variables, custom_metadata => custom_metadata, pages => pages, steps => steps,
        cost => cost, concurrency => concurrency, hook_url => hook_url, hook_secret => hook_secret, request => request,
        origin_execution => origin_execution, reused => reused, idempotency => idempotency,
        request_fingerprint => request_fingerprint, remembered_since => remembered_since, audit_action => audit_action,
        audit_actor => audit_actor, audit_address => audit_address) a;
      if answer.verdict = 'new' and accept_with_document.bytes is not null then
        insert into blobs as b (blob, bytes)
        values (input_document ->> 'blob', accept_with_document.bytes)
        on conflict (blob) do nothing;
      end if;
      return query select answer.verdict, answer.found_execution, answer.credits_available;
    end $$`

  // Accepts executions, in the order of their numbers. All organizations are locked first, in one order, so that processes
  // do not wait for each other in a circle. Plans are kept from a time when tables were small; without sequential scans they
  // remain good when tables have grown.
  yield* sql`create function accept_executions(acceptances json)
    returns table (n int, verdict text, found_execution text, credits_available float8)
    language plpgsql set enable_seqscan = off as $$
    begin
      perform 1 from organizations o where o.id in (
        select a.organization from json_to_recordset(acceptances) as a(organization text)
      ) order by o.id for update;
      return query
        select w.n, answer.verdict, answer.found_execution, answer.credits_available
        from (
          select * from json_to_recordset(acceptances) as x(
            n int, execution text, organization text, environment text, flow text, version text, at timestamptz,
            document json, variables json, metadata json, pages int, steps int, cost numeric, concurrency int, hook text,
            secret text, request text, origin text, reused json, idempotency text, fingerprint text, since timestamptz,
            action text, actor text, address text, bytes text)
          order by x.n
        ) w cross join lateral accept_with_document(
          bytes => decode(w.bytes, 'base64'), execution => w.execution, organization => w.organization,
          key_environment => w.environment, flow => w.flow, flow_version => w.version, accepted_at => w.at,
          input_document => w.document, input_variables => w.variables, custom_metadata => w.metadata, pages => w.pages,
          steps => w.steps, cost => w.cost, concurrency => w.concurrency, hook_url => w.hook, hook_secret => w.secret,
          request => w.request, origin_execution => w.origin, reused => w.reused, idempotency => w.idempotency,
          request_fingerprint => w.fingerprint, remembered_since => w.since, audit_action => w.action,
          audit_actor => w.actor, audit_address => w.address) answer;
    end $$`
})
