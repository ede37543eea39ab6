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
 * Grants credits to an organization, in double entry. The database functions `accept_together` and `apply_writes`
 * make reservations and settlements.
 */
export const grant = Effect.fnUntraced(function* ({ amount, at, organizationId, reason }: Grant) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    select move_credits(${organizationId}, 'granted', 'available', 'grant', ${roundCredits(amount)}::numeric,
      null, ${reason}, ${at}::timestamptz)`
})

/** Credits have four decimals. */
export const roundCredits = (amount: number): number => Math.round(amount * 1e4) / 1e4
