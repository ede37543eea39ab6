import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `write_run` with the outputs of steps next to the writes; `runner_starts` counts the starts since the last step that was
 * recorded. Processes of older releases use the one of 0015.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Takes effect in the order of the array. `done` is false where the execution was not running any more. A start that the
  // runner knows from the acceptance (`brief`) learns only whether it is the first. The outputs of steps are JSON strings next
  // to the writes, in the order of the records and empty where there is none, so that each is parsed only once.
  yield* sql`create function write_run(execution text, writes json, outputs text[]) returns table (n int, done boolean, begun json)
    language plpgsql as $$
    declare
      run executions;
      was_found boolean;
      is_changed boolean := false;
      w record;
      numbers int[] := '{}';
      moments timestamptz[] := '{}';
      kinds text[] := '{}';
      entries json[] := '{}';
      recorded int := 0;
    begin
      -- An erasure that is under way ends first: of an erased execution nothing is recorded.
      select * into run from executions e where e.id = execution for no key update;
      was_found := found;
      for w in
        select * from json_to_recordset(writes) as x(
          n int, act text, moment timestamptz, step text, percentage real, owed int, brief boolean, kind text,
          status text, started timestamptz, duration float8, attempts int, review int, blob text,
          error json, entry json)
      loop
        n := w.n;
        done := was_found;
        begun := null;
        case w.act
          when 'start' then
            done := was_found and run.status in ('pending', 'running');
            if done then
              is_changed := true;
              run.status := 'running';
              run.started_at := coalesce(run.started_at, w.moment);
              run.runner_starts := greatest(run.runner_starts - w.owed, 0) + 1;
              run.event_seq := run.event_seq + 1;
              numbers := numbers || run.event_seq;
              moments := moments || w.moment;
              kinds := kinds || 'execution.running'::text;
              entries := entries || null::json;
              begun := case when w.brief then json_build_object('first_start', run.started_at = w.moment)
                else json_build_object(
                  'flow_id', run.flow_id, 'version', run.version, 'organization_id', run.organization_id,
                  'environment', run.environment, 'runner_starts', run.runner_starts,
                  'first_start', run.started_at = w.moment, 'replay_of', run.replay_of, 'document', run.document,
                  'variables', run.variables) end;
            end if;
          when 'begin' then
            done := was_found and run.status = 'running';
            if done then
              is_changed := true;
              run.progress_step := w.step;
              run.progress_percentage := greatest(run.progress_percentage, w.percentage);
              run.event_seq := run.event_seq + 1;
              numbers := numbers || run.event_seq;
              moments := moments || w.moment;
              kinds := kinds || 'step.started'::text;
              entries := entries || json_build_object(
                'step', w.step, 'percentage', round(run.progress_percentage::numeric, 1));
            end if;
          when 'record' then
            done := true;
            recorded := recorded + 1;
            if was_found and run.erased_at is null then
              -- The first record of a step stays.
              insert into step_results
                (execution_id, path, kind, status, started_at, duration_ms, attempts, output, output_blob, error)
              values (execution, w.step, w.kind, w.status, w.started, w.duration, w.attempts,
                nullif(outputs[recorded], '')::json, w.blob, w.error)
              on conflict (execution_id, path) do nothing;
              if found and run.status = 'running' then
                is_changed := true;
                -- Whatever killed earlier runners, it was not what this one got past.
                run.runner_starts := least(run.runner_starts, 1);
                run.progress_percentage := greatest(run.progress_percentage, w.percentage);
                run.review_open := run.review_open + w.review;
                run.event_seq := run.event_seq + 1;
                numbers := numbers || run.event_seq;
                moments := moments || w.moment;
                kinds := kinds || ('step.' || w.status);
                entries := entries || (
                  w.entry::jsonb || jsonb_build_object('percentage', round(run.progress_percentage::numeric, 1)))::json;
              end if;
            end if;
        end case;
        return next;
      end loop;
      if is_changed then
        update executions e set
          status = run.status, started_at = run.started_at, runner_starts = run.runner_starts,
          progress_step = run.progress_step, progress_percentage = run.progress_percentage,
          review_open = run.review_open, event_seq = run.event_seq
        where e.id = execution;
        insert into execution_events (execution_id, seq, at, kind, data)
        select execution, logged.* from unnest(numbers, moments, kinds, entries) as logged;
      end if;
    end $$`
})
