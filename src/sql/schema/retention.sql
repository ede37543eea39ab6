-- What keeps blobs from being removed too early, and finds what is kept no longer.

-- Records that an execution uses a blob. The lock on its name keeps whoever removes unused blobs out until the commit.
create function keep_blob(name text, execution text, use text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(name, 0));
  insert into blob_uses (blob, execution_id, purpose) values (name, execution, use) on conflict do nothing;
end $$;

-- What was used, for ever: executions are added up here when their document expires, by the day (UTC) of their end. `model` is
-- empty for the executions themselves; each model has the tokens that they paid.
create table usage_of_days (
  organization_id text not null,
  day date not null,
  environment text not null,
  flow_id text not null,
  model text not null,
  executions bigint not null,
  pages bigint not null,
  credits numeric(18, 4) not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (organization_id, day, environment, flow_id, model)
);

-- The same of executions that are not added up yet; conditions on them are looked up, not all of them read.
create view usage_of_executions as
with ended as not materialized (
  select id, organization_id, environment, ended_at, (ended_at at time zone 'UTC')::date as day, flow_id, page_count, charged
  from executions where not is_added_up and ended_at is not null
)
select e.id, e.organization_id, e.environment, e.ended_at, e.day, e.flow_id, '' as model, 1 as executions,
  e.page_count as pages, e.charged as credits, 0 as input_tokens, 0 as output_tokens
from ended e
union all
select e.id, e.organization_id, e.environment, e.ended_at, e.day, e.flow_id, coalesce(m.model, 'unknown'), 0, 0, 0,
  m.input_tokens, m.output_tokens
from ended e join model_answers m on m.execution_id = e.id;

-- Vacuumed after a fiftieth of their rows has changed instead of a fifth: sweeps remove what is oldest all the time, and an
-- index whose first entries are dead is slow where they are looked for.
do $$
declare
  grown regclass;
begin
  foreach grown in array array['executions', 'execution_events', 'step_results', 'model_answers', 'ledger', 'blob_uses',
    'deliveries', 'idempotency_keys']::regclass[]
  loop
    execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', grown);
  end loop;
end $$;
