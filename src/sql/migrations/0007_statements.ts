import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Functions that accept and end an execution, each in one statement: the organization's row is locked only while the
 * function runs, not while statements travel between the service and the database. A released function is never changed;
 * a new version gets a new name, so that processes of two releases can share the database.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Records that an execution uses a blob. The lock on its name keeps whoever removes unused blobs out until the commit.
  yield* sql`create function keep_blob(name text, execution text, use text) returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(name, 0));
      insert into blob_uses (blob, execution_id, purpose) values (name, execution, use) on conflict do nothing;
    end $$`

  // Double entry: two postings that sum to zero, and the organization's totals with them.
  yield* sql`create function move_credits(
      organization text, source text, target text, movement text, credits numeric, execution text, why text,
      moved_at timestamptz
    ) returns void language plpgsql as $$
    declare
      moved numeric := round(credits, 4);
      transfer text := gen_random_uuid();
    begin
      if moved = 0 then return; end if;
      insert into ledger_postings (transaction_id, organization_id, account, kind, amount, execution_id, reason, at)
      values (transfer, organization, source, movement, -moved, execution, why, moved_at),
             (transfer, organization, target, movement, moved, execution, why, moved_at);
      update organizations set
        available = available + case 'available' when target then moved when source then -moved else 0 end,
        reserved = reserved + case 'reserved' when target then moved when source then -moved else 0 end
      where id = organization;
    end $$`

  // The locked row makes runs of one organization take turns: each sees the credits and executions of those before it.
  yield* sql`create function accept_execution(
      execution text, organization text, key_environment text, flow text, flow_version text, accepted_at timestamptz,
      input_document json, input_variables json, custom_metadata json, pages int, steps int, cost numeric,
      concurrency int, hook_url text, hook_secret text, request text, origin_execution text, reused json,
      idempotency text, request_fingerprint text, remembered_since timestamptz,
      audit_action text, audit_actor text, audit_address text
    ) returns table (verdict text, found_execution text, credits_available float8) language plpgsql as $$
    declare
      credits numeric;
      earlier record;
      unfinished int;
    begin
      select available into credits from organizations where id = organization for update;
      credits := coalesce(credits, 0);
      if idempotency is not null then
        select k.fingerprint, k.execution_id into earlier from idempotency_keys k
        where k.organization_id = organization and k.environment = key_environment and k.key = idempotency
          and k.created_at > remembered_since;
        if found then
          return query select
            case when earlier.fingerprint = request_fingerprint then 'replayed' else 'other_request' end,
            earlier.execution_id, credits::float8;
          return;
        end if;
      end if;
      if cost > credits then
        return query select 'insufficient_credits', null::text, credits::float8;
        return;
      end if;
      select count(*) into unfinished from (
        select 1 from executions e where e.organization_id = organization and e.environment = key_environment
          and e.status in ('pending', 'running') limit concurrency
      ) as counted;
      if unfinished >= concurrency then
        return query select 'concurrent_limit', null::text, credits::float8;
        return;
      end if;
      insert into executions
        (id, organization_id, environment, flow_id, version, status, created_at, document, variables, metadata,
         page_count, step_count, reserved, webhook_url, webhook_secret, request_id, event_seq, replay_of, reused_steps)
      values
        (execution, organization, key_environment, flow, flow_version, 'pending', accepted_at, input_document,
         input_variables, custom_metadata, pages, steps, cost, hook_url, hook_secret, request, 1, origin_execution,
         reused);
      insert into execution_events (execution_id, seq, at, kind)
      values (execution, 1, accepted_at, 'execution.pending');
      if idempotency is not null then
        insert into idempotency_keys as k (organization_id, environment, key, fingerprint, execution_id, created_at)
        values (organization, key_environment, idempotency, request_fingerprint, execution, accepted_at)
        on conflict (organization_id, environment, key) do update set
          fingerprint = excluded.fingerprint, execution_id = excluded.execution_id, created_at = excluded.created_at;
      end if;
      perform move_credits(organization, 'available', 'reserved', 'reserve', cost, execution, null, accepted_at);
      insert into audit_log (at, action, actor, subject, organization_id, address, request_id)
      values (accepted_at, audit_action, audit_actor, execution, organization, audit_address, request);
      perform keep_blob(input_document ->> 'blob', execution, 'document');
      return query select 'new', execution, credits::float8;
    end $$`

  // The fence: the first to end an execution wins; everybody else changes nothing and gets no row.
  yield* sql`create function end_execution(
      execution text, new_status text, new_output json, new_error json, ended timestamptz, delivery text
    ) returns table (webhook boolean) language plpgsql as $$
    declare
      ending record;
      finished int := 0;
      cost numeric := 0;
    begin
      select e.organization_id, e.reserved, e.webhook_url, e.event_seq + 1 as seq,
             e.step_count - coalesce(json_array_length(e.reused_steps), 0) as own_steps
      into ending from executions e where e.id = execution and e.status in ('pending', 'running') for update;
      if not found then return; end if;
      if ending.reserved > 0 and new_status <> 'failed' then
        -- A step that contains others counts once, when it has finished itself: those inside have a path with a dot.
        select count(*) into finished from step_results r
        where r.execution_id = execution and r.status = 'completed' and r.reused_from is null
          and position('.' in r.path) = 0;
      end if;
      cost := case when ending.own_steps = 0 then ending.reserved
        else least(ending.reserved, round(ending.reserved * finished / ending.own_steps, 4)) end;
      update executions set
        status = new_status, ended_at = ended, output = new_output, error = new_error, charged = cost,
        progress_percentage = case when new_status = 'completed' then 100 else progress_percentage end,
        event_seq = ending.seq
      where id = execution;
      insert into execution_events (execution_id, seq, at, kind)
      values (execution, ending.seq, ended, 'execution.' || new_status);
      perform move_credits(
        ending.organization_id, 'reserved', 'spent', 'charge', cost, execution, null, ended);
      perform move_credits(
        ending.organization_id, 'reserved', 'available', 'release', ending.reserved - cost, execution, null, ended);
      if ending.webhook_url is not null then
        insert into deliveries (id, execution_id, event, url, next_attempt_at, created_at)
        values (delivery, execution, 'execution.' || new_status, ending.webhook_url, ended, ended);
      end if;
      return query select ending.webhook_url is not null;
    end $$`
})
