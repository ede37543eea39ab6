import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface Grant {
  readonly organizationId: string
  /** Credits; a negative amount takes them back. */
  readonly amount: number
  readonly at: Date
  readonly reason: string
}

/**
 * Grants credits to an organization that the caller has locked, in double entry. The database functions `accept_together`
 * and `apply_writes` make reservations and settlements.
 */
export const grant = Effect.fnUntraced(function* ({ amount, at, organizationId, reason }: Grant) {
  const sql = yield* SqlClient.SqlClient
  const credits = roundCredits(amount)
  if (credits === 0) return
  yield* sql`
    with granted as (
      insert into ledger (organization_id, source, target, amount, reason, at)
      values (${organizationId}, 'granted', 'available', ${credits}::numeric, ${reason}, ${at})
    )
    update organizations set available = available + ${credits}::numeric where id = ${organizationId}`
})

/** Credits have four decimals. */
export const roundCredits = (amount: number): number => Math.round(amount * 1e4) / 1e4
