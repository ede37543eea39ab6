-- The tables. Times are UTC; credits have four decimals; identifiers are the text that the API shows.
-- Values that only travel through are json: PostgreSQL checks them and leaves them as they are. jsonb would be parsed,
-- sorted and built anew each time.

create table organizations (
  id text primary key,
  name text not null,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  requests_per_minute int,
  concurrent_executions int,
  -- The totals of the ledger's accounts. The row's lock is what runs of one organization wait for.
  available numeric(18, 4) not null default 0,
  reserved numeric(18, 4) not null default 0 check (reserved >= 0),
  document_retention_hours real not null default 24 check (document_retention_hours >= 0),
  output_retention_days real not null default 30 check (output_retention_days >= 0),
  -- Whether its documents may be exported, with the test cases that corrections make.
  document_export boolean not null default false,
  -- The tokens that it may use of models in a month (UTC); null: any number.
  model_tokens_per_month bigint,
  created_at timestamptz not null default now()
);

-- The tokens that an organization has used of models in a month, with the most that requests under way may need.
create table model_tokens (
  organization_id text not null references organizations,
  month date not null,
  tokens bigint not null,
  primary key (organization_id, month)
);

-- An organization's own keys at providers of models, sealed.
create table model_keys (
  organization_id text not null references organizations,
  provider text not null,
  sealed text not null,
  primary key (organization_id, provider)
);

create table api_keys (
  id text primary key,
  organization_id text not null references organizations,
  name text not null,
  environment text not null check (environment in ('live', 'test')),
  scopes text[] not null,
  -- SHA-256 of the secret, which is stored nowhere.
  hash text not null unique,
  last_four text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);

-- Who may sign in to the dashboard: with a password, or at an OpenID provider.
create table users (
  id text primary key,
  name text not null unique,
  role text not null check (role in ('viewer', 'reviewer', 'operator', 'administrator')),
  password text,
  issuer text,
  subject text,
  session_version int not null default 1,
  disabled_at timestamptz,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  unique (issuer, subject),
  check ((password is null) <> (subject is null)),
  check ((issuer is null) = (subject is null))
);

-- A session without a user is an administrator's, who signed in with the admin token or a link. One with a user is valid
-- while its version is the user's: a new password, or disabling the user, ends all of them at once.
create table sessions (
  hash text primary key,
  user_id text references users,
  session_version int,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);

create table sign_in_links (
  hash text primary key,
  expires_at timestamptz not null
);

-- `pins`: the versions of other flows that this version runs as steps, settled when it is published.
create table flow_versions (
  flow_id text not null,
  version text not null,
  hash text not null,
  name text not null,
  description text not null,
  source text not null,
  pins jsonb not null default '{}',
  published_at timestamptz not null default now(),
  primary key (flow_id, version)
);

-- Drafts that were run without being saved: an execution of one may have to continue in another process.
create table flow_drafts (
  flow_id text not null,
  version text not null,
  source text not null,
  pins jsonb not null,
  stored_at timestamptz not null,
  primary key (flow_id, version)
);

create table executions (
  id text primary key,
  organization_id text not null references organizations,
  environment text not null,
  flow_id text not null,
  version text not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- Starts since the last step that was recorded: an execution that kills its runners is given up.
  runner_starts int not null default 0,
  progress_step text,
  progress_percentage real not null default 0,
  -- The number of the last event. Whoever logs one raises it, so the row's lock keeps the log in order.
  event_seq int not null default 0,
  document json,
  variables json not null,
  metadata json,
  output json,
  error json,
  page_count int not null,
  step_count int not null,
  reserved numeric(18, 4) not null default 0,
  charged numeric(18, 4) not null default 0,
  webhook_url text,
  webhook_secret bytea,
  -- The events that the run names; null: the ends of the execution.
  webhook_events text[],
  request_id text,
  -- A replay goes on from another execution and takes over the results of these steps.
  replay_of text,
  reused_steps json,
  -- How many fields a person should look at: raised with each step that lists some, 0 once somebody has.
  review_open int not null default 0,
  review_claimed_by text,
  review_claimed_at timestamptz,
  -- Whether usage_of_days has what it used.
  is_added_up boolean not null default false,
  output_expired_at timestamptz,
  erased_at timestamptz
);

-- The members of metadata as numbers, one for each name and value of an organization and environment; the filter of a list
-- compares the texts as well.
create function metadata_numbers(organization text, environment text, metadata json) returns bigint[]
language sql immutable parallel safe as $$
  select array(
    select hashtextextended(organization || ' ' || environment || ' ' || key || ' ' || value, 0)
    from json_each_text(metadata) where value is not null)
$$;

-- The journal: a row for each finished step. A large output is in the blob store, under its hash.
-- Neither this table nor the events reference executions: whoever inserts rows has made or locked the execution in the same
-- transaction, and whoever removes an execution locks it first. Checking it again for each row was a twentieth of a run.
create table step_results (
  execution_id text not null,
  path text not null,
  kind text not null,
  status text not null check (status in ('completed', 'failed', 'skipped')),
  started_at timestamptz not null,
  duration_ms double precision not null,
  attempts int not null,
  output json,
  output_blob text,
  error json,
  -- The execution from which a replay took the result over: nobody pays for it again.
  reused_from text,
  primary key (execution_id, path)
);

-- The answers of models, by the hash of the request: for whoever runs the execution again. A replay takes those of its
-- original over, and has paid no tokens for them.
create table model_answers (
  execution_id text not null,
  request text not null,
  value json,
  input_tokens int not null,
  output_tokens int not null,
  model text,
  primary key (execution_id, request)
);

-- What happened to an execution, in an order that never changes: its steps and further starts. When it was accepted, when
-- it first started (after the steps that a replay reuses) and when it ended is in its row.
create table execution_events (
  execution_id text not null,
  seq int not null,
  at timestamptz not null,
  kind text not null,
  data json,
  primary key (execution_id, seq)
);

-- Outputs are stored fast rather than small: with lz4 where there is one, and as they are in the embedded database, whose
-- only method took a twelfth of the time of an invoice.
do $$
begin
  if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
    -- As text, because PostgreSQL 13 cannot parse it.
    execute 'alter table step_results alter column output set compression lz4';
    execute 'alter table executions alter column output set compression lz4';
  elsif version() like '%wasm%' then
    alter table step_results alter column output set storage external;
    alter table executions alter column output set storage external;
  end if;
end $$;

create table idempotency_keys (
  organization_id text not null references organizations,
  environment text not null,
  key text not null,
  fingerprint text not null,
  execution_id text not null references executions,
  created_at timestamptz not null,
  primary key (organization_id, environment, key)
);

-- Which execution needs which blob: a blob that nobody needs any more is removed.
create table blob_uses (
  blob text collate "C" not null,
  execution_id text not null references executions,
  purpose text not null check (purpose in ('document', 'result')),
  primary key (blob, execution_id, purpose)
);

-- The blob store, unless blobs are in a folder or in S3. Most documents are compressed already.
create table blobs (
  blob text collate "C" primary key,
  bytes bytea not null
);
alter table blobs alter column bytes set storage external;

-- The webhooks to send to the URL of the execution. `lease` names the attempt that is under way: only that one may write the
-- result. Until then, `next_attempt_at` is when the attempt is taken for lost. `organization_id` and `host` are whom a pending
-- delivery waits for, and null once it is over; the host shares out connections and decides nothing about safety.
create table deliveries (
  execution_id text not null references executions,
  -- 1: the end of the execution; after it, each revision of its corrections.
  number int not null,
  event text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  organization_id text,
  host text,
  attempts_made int not null default 0,
  next_attempt_at timestamptz,
  lease text,
  created_at timestamptz not null,
  -- The log, as the API shows it.
  attempts json not null default '[]',
  primary key (execution_id, number)
);

-- The identifier that the API and receivers see.
create function delivery_id(execution text, number int) returns text language sql immutable as $$
  select 'dlv_' || substr(execution, 6) || '_' || number
$$;

create function host_of(url text) returns text language sql immutable as $$
  select coalesce(lower(substring(url from '^[a-zA-Z]+:[^[:alnum:][]*([^/?#]*)')), '')
$$;

-- What people corrected of an execution.
create table corrections (
  execution_id text primary key references executions on delete cascade,
  revision int not null,
  fields json not null
);

-- Documents that people checked, by which the next ones of their layout are read. An imported one belongs to no execution.
create table examples (
  id text primary key,
  -- In the order in which they were learned.
  number bigint generated always as identity unique,
  execution_id text references executions on delete cascade,
  organization_id text not null,
  environment text not null,
  step text not null,
  flow_id text not null,
  created_at timestamptz not null,
  enabled boolean not null default true,
  uses int not null default 0,
  last_used_at timestamptz,
  -- Each key says whose it is.
  keys text[] not null,
  words json not null,
  fields json not null,
  unique (execution_id, step)
);

-- The keys as numbers: the examples with the most keys in common with a document are counted in this index alone.
create table example_keys (
  key bigint not null,
  number bigint not null references examples (number) on delete cascade,
  primary key (key, number)
);

create function index_example() returns trigger language plpgsql as $$
begin
  insert into example_keys (key, number)
  select hashtextextended(key, 0), new.number from unnest(new.keys) as key
  on conflict do nothing;
  return null;
end $$;
create trigger index_example after insert on examples for each row execute function index_example();

-- The audit log, which nobody can change: only what was archived is removed.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  actor text not null,
  subject text,
  organization_id text,
  address text,
  request_id text
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('docflow.archived', true) = 'on' then return old; end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_is_never_emptied before truncate on audit_log
  for each statement execute function refuse_change();

-- Requests of each minute. Losing them in a crash is harmless, so they are not logged.
create unlogged table rate_windows (
  bucket text not null,
  window_start bigint not null,
  requests int not null,
  primary key (bucket, window_start)
);

-- The processes that share this database: what they must have in common, and where the others reach them. Each renews its row.
create table processes (
  id text primary key,
  address text not null,
  runner text,
  facts json not null,
  seen_at timestamptz not null default clock_timestamp()
);
