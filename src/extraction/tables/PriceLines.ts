import type { TableLine } from "./TableLines.ts"
import { isConsistent } from "./TableRow.ts"

/** The most lines below an item in which its prices may be: `Bruttopreis`, `Mengenrabatt`, `Nettopreis`, and more of its text. */
const mostLines = 8

const hasOnlyQuantity = ({ cells, values }: TableLine): boolean =>
  typeof values["quantity"] === "number" &&
  Number(values["quantity"]) > 0 &&
  values["unitPrice"] === null &&
  values["amount"] === null &&
  cells.has("description")

const priceOf = (item: TableLine, line: TableLine): TableLine["values"] | undefined => {
  const { amount, quantity, unitPrice } = line.values
  if (quantity !== null || unitPrice === null || amount === null) return undefined
  const values = { ...item.values, amount: amount ?? null, unitPrice: unitPrice ?? null }
  return isConsistent({ values, others: [] }) === true ? values : undefined
}

/**
 * Items whose prices are in lines of their own below them, as enterprise programs print them: the last of the lines that times the
 * quantity makes its amount has the price after all discounts. The other lines of prices are none of items.
 */
export const withPriceLines = (lines: ReadonlyArray<TableLine>): ReadonlyArray<TableLine> => {
  const found = new Map<number, TableLine>()
  const used = new Set<number>()
  for (const [at, item] of lines.entries()) {
    if (!hasOnlyQuantity(item)) continue
    const below = lines.slice(at + 1, at + 1 + mostLines)
    const next = below.findIndex((line) => line.values["quantity"] !== null)
    const prices = below.slice(0, next < 0 ? below.length : next).flatMap((line, i) => {
      const values = priceOf(item, line)
      return values === undefined ? [] : [{ at: at + 1 + i, line, values }]
    })
    const last = prices.at(-1)
    if (last === undefined) continue
    const cells = new Map(item.cells)
    for (const name of ["unitPrice", "amount"]) cells.set(name, last.line.cells.get(name) ?? [])
    found.set(at, { ...item, kind: "item", cells, values: last.values, filled: item.filled + 2 })
    for (let i = prices[0]?.at ?? last.at; i <= last.at; i++) used.add(i)
  }
  if (found.size === 0) return lines
  return lines.map((line, at) => found.get(at) ?? (used.has(at) ? { ...line, kind: "break" as const } : line))
}
