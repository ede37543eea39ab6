import { placeKey } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Chosen } from "./Sums.ts"

/**
 * Leaves out the cash of a receipt that is only the total once more: a change of 0.00 makes both the same, also where a meal voucher
 * and a card paid.
 */
export const withoutCashOfTotal = (
  fields: ReadonlyArray<Field>,
  sums: ReadonlyMap<string, Chosen>
): ReadonlyMap<string, Chosen> => {
  const named = (preset: string) => fields.find((field) => field.preset === preset)?.name ?? ""
  const [cash, total] = [named("receipt.cash"), named("receipt.totalAmount")]
  const [handed, bought] = [sums.get(cash), sums.get(total)]
  if (handed === undefined || bought === undefined || placeKey(handed) !== placeKey(bought)) return sums
  return new Map([...sums].filter(([name]) => name !== cash))
}
