-- Credits, in double entry: the postings of one transaction sum to zero. An organization has four accounts: `granted`
-- (negative: what it was ever given), `available`, `reserved` for executions under way, and `spent`.

create table ledger_postings (
  id bigint generated always as identity primary key,
  transaction_id text not null,
  organization_id text not null references organizations,
  account text not null check (account in ('available', 'reserved', 'granted', 'spent')),
  kind text not null check (kind in ('grant', 'reserve', 'charge', 'release')),
  amount numeric(18, 4) not null,
  execution_id text,
  reason text,
  at timestamptz not null
);
create index ledger_of_organization on ledger_postings (organization_id, id);

-- Moves credits from one account to another, and the organization's totals with them.
create function move_credits(
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
end $$;

-- Settles an execution: of what was reserved, `cost` is spent and `rest` becomes available again. Two calls of move_credits
-- would change the organization twice.
create function settle_credits(
    organization text, execution text, cost numeric, rest numeric, settled_at timestamptz
  ) returns void language plpgsql as $$
declare
  charging text := gen_random_uuid();
  releasing text := gen_random_uuid();
begin
  if cost = 0 and rest = 0 then return; end if;
  insert into ledger_postings (transaction_id, organization_id, account, kind, amount, execution_id, at)
  select p.transfer, organization, p.account, p.kind, p.amount, execution, settled_at
  from (values
    (charging, 'reserved', 'charge', -cost), (charging, 'spent', 'charge', cost),
    (releasing, 'reserved', 'release', -rest), (releasing, 'available', 'release', rest)
  ) as p(transfer, account, kind, amount)
  where p.amount <> 0;
  update organizations o set available = o.available + rest, reserved = o.reserved - cost - rest
  where o.id = organization;
end $$;
