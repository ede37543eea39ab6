-- How runs are accepted: many in one statement, and each takes effect for the ones behind it.

-- Takes the acceptances of each organization in the order of the array: each sees the credits and executions of those
-- before it. All their organizations are locked first, in one order, so that processes do not wait for each other in a
-- circle, and each is changed once. A refused acceptance stores nothing; `bytes` is the document, if it is to be stored here.
--
-- It is a function because the organization's row is locked only while it runs, not while statements travel between the
-- service and the database, and because its plans are kept: PostgreSQL would plan the statement anew each time, a fifth of
-- what it costs. A plan that is kept must not depend on how small the tables were when it was made, so it uses indexes.
create function accept_together(acceptances json, organizations text[])
returns table (n int, verdict text, found_execution text, credits_available float8, has_examples boolean)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  a record;
  earlier record;
  current_organization text;
  credits numeric;
  unfinished int;
  reserved_credits numeric;
  accepted text[] := '{}';
  costs numeric[] := '{}';
begin
  perform 1 from organizations o where o.id = any (organizations) order by o.id for update;
  for a in
    select * from json_to_recordset(acceptances) as x(
      n int, execution text, organization text, environment text, flow text, version text, at timestamptz,
      document json, variables json, metadata json, pages int, steps int, cost numeric, concurrency int, hook text,
      secret text, events text[], request text, origin text, reused json, idempotency text, fingerprint text,
      action text, actor text, address text, bytes text)
    order by x.organization, x.n
  loop
    n := a.n;
    found_execution := null;
    -- Read by its index (no sequential scans): few examples of many organizations would make the planner believe
    -- that a scan finds one soon.
    has_examples := exists (
      select from examples e where e.organization_id = a.organization and e.environment = a.environment);
    if current_organization is distinct from a.organization then
      current_organization := a.organization;
      credits := coalesce((select o.available from organizations o where o.id = a.organization), 0);
    end if;
    credits_available := credits;
    if a.idempotency is not null then
      select k.fingerprint, k.execution_id into earlier from idempotency_keys k
      where k.organization_id = a.organization and k.environment = a.environment and k.key = a.idempotency
        and k.created_at > now() - interval '24 hours';
      if found then
        verdict := case when earlier.fingerprint = a.fingerprint then 'replayed' else 'other_request' end;
        found_execution := earlier.execution_id;
        return next;
        continue;
      end if;
    end if;
    if a.cost > credits then
      verdict := 'insufficient_credits';
      return next;
      continue;
    end if;
    select count(*) into unfinished from (
      select 1 from executions e where e.organization_id = a.organization and e.environment = a.environment
        and e.status in ('pending', 'running') limit a.concurrency
    ) as counted;
    if unfinished >= a.concurrency then
      verdict := 'concurrent_limit';
      return next;
      continue;
    end if;
    reserved_credits := round(a.cost, 4);
    insert into executions
      (id, organization_id, environment, flow_id, version, status, created_at, document, variables, metadata,
       page_count, step_count, reserved, webhook_url, webhook_secret, webhook_events, request_id, event_seq,
       replay_of, reused_steps)
    values
      (a.execution, a.organization, a.environment, a.flow, a.version, 'pending', a.at, a.document, a.variables,
       a.metadata, a.pages, a.steps, reserved_credits, a.hook, decode(a.secret, 'base64'), a.events, a.request, 1, a.origin, a.reused);
    if a.idempotency is not null then
      insert into idempotency_keys as k (organization_id, environment, key, fingerprint, execution_id, created_at)
      values (a.organization, a.environment, a.idempotency, a.fingerprint, a.execution, now())
      on conflict (organization_id, environment, key) do update set
        fingerprint = excluded.fingerprint, execution_id = excluded.execution_id, created_at = excluded.created_at;
    end if;
    if reserved_credits <> 0 then
      credits := credits - reserved_credits;
      accepted := accepted || a.organization;
      costs := costs || reserved_credits;
    end if;
    insert into audit_log (at, action, actor, subject, organization_id, address, request_id)
    values (a.at, a.action, a.actor, a.execution, a.organization, a.address, a.request);
    -- The lock keeps whoever removes unused blobs out until the commit, as in keep_blob.
    perform pg_advisory_xact_lock(hashtextextended(a.document ->> 'blob', 0));
    insert into blob_uses (blob, execution_id, purpose)
    values (a.document ->> 'blob', a.execution, 'document') on conflict do nothing;
    if a.bytes is not null then
      insert into blobs as b (blob, bytes) values (a.document ->> 'blob', decode(a.bytes, 'base64'))
      on conflict (blob) do update set bytes = excluded.bytes where b.bytes is distinct from excluded.bytes;
    end if;
    verdict := 'new';
    found_execution := a.execution;
    return next;
  end loop;
  update organizations o set available = o.available - r.cost, reserved = o.reserved + r.cost
  from (select x.id, sum(x.cost) as cost from unnest(accepted, costs) as x(id, cost) group by x.id) r where o.id = r.id;
end $$;
