import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Organizations, keys, credits, flows, executions and their journal. Times are UTC; credits have four decimals. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create table organizations (
    id text primary key,
    name text not null,
    plan text not null check (plan in ('free', 'pro', 'enterprise')),
    requests_per_minute int,
    concurrent_executions int,
    available numeric(18, 4) not null default 0,
    reserved numeric(18, 4) not null default 0 check (reserved >= 0),
    created_at timestamptz not null default now()
  )`

  yield* sql`create table api_keys (
    id text primary key,
    organization_id text not null references organizations,
    name text not null,
    environment text not null check (environment in ('live', 'test')),
    scopes text[] not null,
    hash text not null unique,
    last_four text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz
  )`
  yield* sql`create index api_keys_of_organization on api_keys (organization_id, created_at)`

  yield* sql`create table flow_versions (
    flow_id text not null,
    version text not null,
    hash text not null,
    source text not null,
    published_at timestamptz not null default now(),
    primary key (flow_id, version)
  )`

  yield* sql`create table executions (
    id text primary key,
    organization_id text not null references organizations,
    environment text not null,
    flow_id text not null,
    version text not null,
    status text not null check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz,
    runner_starts int not null default 0,
    progress_step text,
    progress_percentage real not null default 0,
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
    webhook_secret text,
    request_id text,
    trace_parent text,
    erased_at timestamptz
  )`
  yield* sql`create index executions_of_organization on executions (organization_id, environment, created_at desc)`
  yield* sql`create index executions_unfinished on executions (organization_id, environment, created_at) where status in ('pending', 'running')`

  yield* sql`create table idempotency_keys (
    organization_id text not null references organizations,
    environment text not null,
    key text not null,
    fingerprint text not null,
    execution_id text not null references executions,
    created_at timestamptz not null,
    primary key (organization_id, environment, key)
  )`

  // The journal: a row a finished step. A big output is kept in the blob store, by its hash.
  yield* sql`create table step_results (
    execution_id text not null references executions,
    path text not null,
    kind text not null,
    status text not null check (status in ('completed', 'failed', 'skipped')),
    started_at timestamptz not null,
    duration_ms double precision not null,
    attempts int not null,
    output json,
    output_blob text,
    error json,
    primary key (execution_id, path)
  )`

  // Which execution needs which blob: a blob that nobody needs any more is removed.
  yield* sql`create table blob_uses (
    blob text not null,
    execution_id text not null references executions,
    purpose text not null check (purpose in ('document', 'result')),
    primary key (blob, execution_id, purpose)
  )`
  yield* sql`create index blob_uses_of_execution on blob_uses (execution_id)`
  yield* sql`create table blobs (
    blob text primary key,
    bytes bytea not null,
    created_at timestamptz not null default now()
  )`

  // Double entry: the postings of one transaction sum to zero; an organization's accounts are available and reserved.
  yield* sql`create table ledger_postings (
    id bigint generated always as identity primary key,
    transaction_id text not null,
    organization_id text not null references organizations,
    account text not null check (account in ('available', 'reserved', 'granted', 'spent')),
    kind text not null check (kind in ('grant', 'reserve', 'charge', 'release')),
    amount numeric(18, 4) not null,
    execution_id text,
    reason text,
    at timestamptz not null
  )`
  yield* sql`create index ledger_of_organization on ledger_postings (organization_id, id)`

  // Losing the counters in a crash is harmless, so they are not logged.
  yield* sql`create unlogged table rate_windows (
    bucket text not null,
    window_start bigint not null,
    requests int not null,
    primary key (bucket, window_start)
  )`
})
