-- Credits, in double entry: a row takes an amount from one account and adds it to another. An organization has three
-- accounts: `granted` (negative: what it was ever given), `available`, and `spent`. What executions under way have reserved
-- is still available here, and not in the organization's row: a reservation is no transfer, and its execution says it.

create type account as enum ('granted', 'available', 'spent');

-- It does not reference organizations: whoever inserts has locked the organization in the same transaction, and changes
-- its totals there.
create table ledger (
  organization_id text not null,
  id bigint generated always as identity,
  source account not null,
  target account not null check (target <> source),
  -- A negative grant takes credits back.
  amount numeric(18, 4) not null check (amount > 0 or source = 'granted'),
  execution_id text,
  reason text,
  at timestamptz not null,
  primary key (organization_id, at, id)
);
-- What removed executions have spent is one row for each pair of accounts.
create unique index ledger_carried_forward on ledger (organization_id, source, target)
  where execution_id is null and source <> 'granted';
