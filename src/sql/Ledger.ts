import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The accounts between which credits move; `available` and `reserved` are the organization's own. */
type Account = "available" | "reserved" | "granted" | "spent"

interface Movement {
  readonly organizationId: string
  readonly from: Account
  readonly to: Account
  readonly kind: "grant" | "reserve" | "charge" | "release"
  /** Credits; negative moves them the other way. */
  readonly amount: number
  readonly at: Date
  readonly executionId?: string
  readonly reason?: string
}

/**
 * Moves credits from one account to another: two postings that sum to zero, and the organization's totals with them.
 * The caller is in a transaction.
 */
const move = Effect.fnUntraced(function* (movement: Movement) {
  const { at, executionId = null, from, kind, organizationId, reason = null, to } = movement
  // As the database rounds: otherwise it would round a posting and the total that it belongs to differently.
  const amount = roundCredits(movement.amount)
  if (amount === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into ledger_postings (transaction_id, organization_id, account, kind, amount, execution_id, reason, at)
    select transaction.id, ${organizationId}, posting.account, ${kind}, posting.amount,
           ${executionId}, ${reason}, ${at}
    from (select gen_random_uuid()::text as id) as transaction,
         (values (${from}, -(${amount}::numeric)), (${to}, ${amount}::numeric)) as posting (account, amount)`
  const change = (account: Account) => (to === account ? amount : 0) - (from === account ? amount : 0)
  yield* sql`
    update organizations
    set available = available + ${change("available")}::numeric, reserved = reserved + ${change("reserved")}::numeric
    where id = ${organizationId}`
})

/** What a movement is about. */
export interface Entry {
  readonly organizationId: string
  readonly amount: number
  readonly at: Date
}

/** Gives credits to an organization; a negative amount takes them back. */
export const grant = (entry: Entry & { readonly reason: string }) =>
  move({ ...entry, from: "granted", to: "available", kind: "grant" })

/** Sets credits aside for an execution. The caller holds the organization's row and has seen that there are enough. */
export const reserve = (entry: Entry & { readonly executionId: string }) =>
  move({ ...entry, from: "available", to: "reserved", kind: "reserve" })

/** Ends a reservation: `charged` is spent, the rest is available again. */
export const settle = (entry: Entry & { readonly executionId: string; readonly charged: number }) =>
  Effect.gen(function* () {
    const { amount: reserved, at, charged, executionId, organizationId } = entry
    const common = { organizationId, executionId, at, from: "reserved" } as const
    yield* move({ ...common, to: "spent", kind: "charge", amount: charged })
    yield* move({ ...common, to: "available", kind: "release", amount: roundCredits(reserved - charged) })
  })

/** Credits have four decimals. */
export const roundCredits = (amount: number): number => Math.round(amount * 1e4) / 1e4
