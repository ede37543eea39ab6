-- What runners write: many writes of many executions in one statement, and the row of each execution changes once.

-- The writes of one execution, which take effect in the order of the array. `done` is false where the execution was not
-- running any more. The outputs of steps and of the end are JSON strings next to the writes, in the order of the records
-- and the end and empty where there is none, so that each is parsed only once. The first to end an execution wins:
-- everybody else changes nothing.
create function apply_writes_of(execution text, writes json, outputs text[])
returns table (n int, done boolean, begun json, webhook boolean, charged float8)
language plpgsql as $$
declare
  run record;
  was_found boolean;
  w record;
  event text;
  entry json;
  numbers int[] := '{}';
  moments timestamptz[] := '{}';
  kinds text[] := '{}';
  entries json[] := '{}';
  is_changed boolean := false;
  results int := 0;
  own_steps int;
  finished numeric := 0;
  cost numeric;
begin
  -- An erasure that is under way ends first: of an erased execution nothing is recorded. Of the row only what is small.
  select e.organization_id, e.status, e.started_at, e.ended_at, e.runner_starts, e.progress_step, e.progress_percentage,
    e.review_open, e.event_seq, e.step_count, e.reused_steps, e.reserved, e.charged, e.erased_at, e.webhook_url,
    e.webhook_events, null::json as output, null::json as error
  into run from executions e where e.id = execution for no key update;
  was_found := found;
  for w in
    select * from json_to_recordset(writes) as x(
      n int, act text, moment timestamptz, step text, percentage real, owed int, kind text,
      status text, started timestamptz, duration float8, attempts int, review int, blob text,
      error json, entry json)
  loop
    n := w.n;
    done := was_found;
    begun := null;
    webhook := null;
    charged := null;
    event := null;
    entry := null;
    case w.act
      when 'start' then
        done := was_found and run.status in ('pending', 'running');
        if done then
          run.status := 'running';
          -- The first start is no row of the log: the execution says when it was.
          if run.started_at is null then run.event_seq := run.event_seq + 1;
          else event := 'execution.running';
          end if;
          run.started_at := coalesce(run.started_at, w.moment);
          run.runner_starts := greatest(run.runner_starts - w.owed, 0) + 1;
          is_changed := true;
          begun := (
            select json_build_object(
              'flow_id', e.flow_id, 'version', e.version, 'organization_id', e.organization_id,
              'environment', e.environment, 'runner_starts', run.runner_starts,
              'first_start', run.started_at = w.moment, 'replay_of', e.replay_of, 'document', e.document,
              'variables', e.variables)
            from executions e where e.id = execution);
        end if;
      when 'begin' then
        done := was_found and run.status = 'running';
        if done then
          run.progress_step := w.step;
          run.progress_percentage := greatest(run.progress_percentage, w.percentage);
          event := 'step.started';
          entry := json_build_object(
            'step', w.step, 'percentage', round(run.progress_percentage::numeric, 1));
        end if;
      when 'record' then
        done := true;
        results := results + 1;
        if was_found and run.erased_at is null then
          -- The first record of a step stays.
          insert into step_results
            (execution_id, path, kind, status, started_at, duration_ms, attempts, output, output_blob, error)
          values (execution, w.step, w.kind, w.status, w.started, w.duration, w.attempts,
            nullif(outputs[results], '')::json, w.blob, w.error)
          on conflict (execution_id, path) do nothing;
          if found and run.status = 'running' then
            -- Whatever killed earlier runners, it was not what this one got past.
            run.runner_starts := least(run.runner_starts, 1);
            run.progress_percentage := greatest(run.progress_percentage, w.percentage);
            run.review_open := run.review_open + w.review;
            event := 'step.' || w.status;
            entry := (
              w.entry::jsonb || jsonb_build_object('percentage', round(run.progress_percentage::numeric, 1)))::json;
          end if;
        end if;
      when 'end' then
        results := results + 1;
        done := was_found and run.status in ('pending', 'running');
        if done then
          own_steps := run.step_count - coalesce(json_array_length(run.reused_steps), 0);
          if run.reserved > 0 and w.status <> 'failed' then
            -- A step that contains others counts once, when it has finished itself: those inside have a path with a dot.
            -- Of one that a cancel ended, n finished steps inside count n / (n + 1): how many were left, only the flow knows.
            select coalesce(sum(case when whole then 1
                when w.status = 'cancelled' then inside::numeric / (inside + 1) else 0 end), 0)
            into finished
            from (
              select bool_or(position('.' in r.path) = 0) as whole, count(*) as inside from step_results r
              where r.execution_id = execution and r.status = 'completed' and r.reused_from is null
              group by split_part(r.path, '.', 1)
            ) as block;
          end if;
          cost := case when own_steps = 0 then run.reserved
            else least(run.reserved, round(run.reserved * finished / own_steps, 4)) end;
          -- apply_writes changes the totals of the organization.
          if cost > 0 then
            insert into ledger (organization_id, source, target, amount, execution_id, at)
            values (run.organization_id, 'available', 'spent', cost, execution, w.moment);
          end if;
          run.status := w.status;
          run.ended_at := w.moment;
          run.output := nullif(outputs[results], '')::json;
          run.error := w.error;
          run.charged := cost;
          run.progress_percentage := case when w.status = 'completed' then 100 else run.progress_percentage end;
          run.event_seq := run.event_seq + 1;
          is_changed := true;
          charged := cost;
          -- An end that is none of the events that the run names is not sent.
          webhook := run.webhook_url is not null
            and (run.webhook_events is null or 'execution.' || w.status = any (run.webhook_events));
          if webhook then
            insert into deliveries (execution_id, number, event, organization_id, host, next_attempt_at, created_at)
            values (execution, 1, 'execution.' || w.status, run.organization_id, host_of(run.webhook_url), w.moment, w.moment);
          end if;
        end if;
    end case;
    if event is not null then
      run.event_seq := run.event_seq + 1;
      numbers := numbers || run.event_seq;
      moments := moments || w.moment;
      kinds := kinds || event;
      entries := entries || entry;
    end if;
    return next;
  end loop;
  if is_changed or cardinality(numbers) > 0 then
    update executions e set
      status = run.status, started_at = run.started_at, ended_at = run.ended_at, runner_starts = run.runner_starts,
      progress_step = run.progress_step, progress_percentage = run.progress_percentage,
      review_open = run.review_open, event_seq = run.event_seq, charged = run.charged, output = run.output,
      error = run.error
    where e.id = execution;
    insert into execution_events (execution_id, seq, at, kind, data)
    select execution, logged.* from unnest(numbers, moments, kinds, entries) as logged;
  end if;
end $$;

-- The writes of several executions, one array element for each; outputs are separated by line feeds, because JSON text has
-- none. Processes that lock in the same order cannot deadlock: first all executions are locked, by their ids, and in the end
-- the organizations of those that have ended, each of which is changed once. Plans are kept, as those of accept_together.
create function apply_writes(executions text[], writes text[], outputs text[])
returns table (n int, done boolean, begun json, webhook boolean, charged float8)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  ended text[] := '{}';
  w record;
begin
  if array_length(executions, 1) > 1 then
    perform 1 from executions e where e.id = any (apply_writes.executions) order by e.id for no key update;
  end if;
  for w in
    select x.execution, applied.*
    from unnest(apply_writes.executions, writes, outputs) as x(execution, writes, outputs)
    cross join lateral apply_writes_of(x.execution, x.writes::json, string_to_array(x.outputs, chr(10))) applied
  loop
    n := w.n;
    done := w.done;
    begun := w.begun;
    webhook := w.webhook;
    charged := w.charged;
    if w.charged is not null then ended := ended || w.execution; end if;
    return next;
  end loop;
  if cardinality(ended) > 0 then
    with settled as (
      select e.organization_id as id, sum(e.charged) as cost, sum(e.reserved) as whole from executions e
      where e.id = any (ended) and e.reserved <> 0 group by e.organization_id
    ), locked as (
      select s.* from organizations o join settled s on s.id = o.id order by o.id for no key update of o
    )
    update organizations o set available = o.available + l.whole - l.cost, reserved = o.reserved - l.whole
    from locked l where o.id = l.id;
  end if;
end $$;
