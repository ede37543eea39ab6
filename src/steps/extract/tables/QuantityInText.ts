import type { Decimal } from "../candidates/Numbers.ts"
import { type Cells, amountIn, isConsistent, type TableRow, textOf } from "./TableRow.ts"

/** A number and at most its unit: `186,50 m²`, `6,00 WO`, `12`. */
const countAlone = /^\d[\d.,'’ ]*(?:\s?[\p{L}²³./]{1,5})?$/u

/** A row with its quantity, which was the only text in its line where descriptions are. */
export const withQuantityOfText = (
  cells: Cells,
  values: TableRow,
  decimal: Decimal | undefined
): { readonly cells: Cells; readonly values: TableRow } => {
  const tokens = cells.get("description")
  const text = textOf(tokens)
  if (tokens === undefined || values["quantity"] !== null || !countAlone.test(text)) return { cells, values }
  const row = { ...values, description: null, quantity: amountIn(text, decimal) }
  if (isConsistent({ values: row, others: [] }) !== true) return { cells, values }
  const own = new Map([...cells, ["quantity", tokens] as const])
  own.delete("description")
  return { cells: own, values: row }
}
