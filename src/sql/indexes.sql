-- The indexes that speed something up, each as one statement that begins with `create index`. Each start makes those that
-- are missing, on a server without blocking writes. To change one, give it another name and drop the old one in a migration.

create index api_keys_of_organization on api_keys (organization_id, created_at);
create index sessions_idle on sessions (last_used_at);

-- Ascending and without the id, although lists are read from their end: PostgreSQL fills pages whole only where entries are added
-- behind others, and sorts those of one moment as it reads.
create index executions_of_organization on executions (organization_id, environment, created_at);
create index executions_of_flow on executions (organization_id, environment, flow_id, created_at);
create index executions_unsuccessful on executions (organization_id, environment, status, created_at)
  where status in ('failed', 'cancelled');
create index executions_unfinished on executions (organization_id, environment, created_at)
  where status in ('pending', 'running');
create index executions_to_review on executions (organization_id, created_at, id)
  where review_open > 0 and status = 'completed' and erased_at is null;
create index executions_by_metadata on executions using gin (metadata_numbers(organization_id, environment, metadata))
  with (fastupdate = off) where metadata is not null;
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_execution on idempotency_keys (execution_id);
create index blob_uses_of_execution on blob_uses (execution_id);
create index deliveries_due on deliveries (next_attempt_at) where status = 'pending';
create index deliveries_of_receiver on deliveries (organization_id, host, next_attempt_at) where status = 'pending';
create index examples_of_organization on examples (organization_id, created_at);
create index example_keys_of_example on example_keys (number);
create index audit_of_organization on audit_log (organization_id, id);

-- What is due is found for each organization, because each has its own times. An execution enters an index when what is
-- meant is there and it has ended. Whole executions are due in about the order of their creation, which has an index.
create index executions_with_document on executions (organization_id, environment, ended_at)
  where (document is not null or not is_added_up) and ended_at is not null;
create index executions_with_output on executions (organization_id, environment, ended_at)
  where output_expired_at is null and ended_at is not null;
