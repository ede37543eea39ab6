import type { Field } from "../Field.ts"
import { isConsistent } from "./TableRow.ts"
import type { TableItems } from "./TableItems.ts"
import type { TableColumns } from "./TableLines.ts"
import { headingQuality, openPoints } from "./OpenPoints.ts"

/** The quality of a table, 0–1, and what is wrong with it, as sentences for people. */
export interface TableProof {
  readonly quality: number
  readonly doubts: ReadonlyArray<string>
  /** What its headings, lines and letters leave open, as sentences for people. */
  readonly open: ReadonlyArray<string>
  /** Whether it has amounts, by which its sums and products were evaluated. */
  readonly isSummed: boolean
}

/** The most that a table with a doubt is worth: never sure. */
const doubtful = 0.8
/** How many rows that fail are named. */
const mostNamed = 5
/** Columns that some rows fill and others do not, or whose heading is there and nothing under it. */
const gaps = (field: Field, { items }: TableItems, columns: TableColumns): ReadonlyArray<string> =>
  field.columns
    .filter((column) => headingQuality(columns, column) !== undefined)
    .filter(({ name }) => items.some(({ values }) => values[name] === null))
    .map(({ name }) => name)

/** Columns that the flow named itself, and that are nowhere in the table. */
const unfound = (field: Field, { items }: TableItems): ReadonlyArray<string> =>
  field.columns
    .filter(({ isOwn }) => isOwn === true)
    .filter(({ name }) => items.every(({ values }) => (values[name] ?? null) === null))
    .map(({ name }) => name)

const amount = (value: unknown): string => (typeof value === "number" ? value.toFixed(2) : String(value))

const titles = { quantity: "quantity", unitPrice: "price", amount: "amount" } as const
const followsFrom = {
  quantity: "price and amount",
  unitPrice: "quantity and amount",
  amount: "quantity and price"
} as const

const mendedFigures = (items: TableItems["items"]): ReadonlyArray<string> =>
  items.flatMap(({ mended }, i) => {
    if (mended === undefined) return []
    const { name, read, value } = mended
    const others = followsFrom[name]
    return read === undefined
      ? [`Row ${i + 1}: the ${titles[name]} ${value} was not recognized; it follows from ${others}.`]
      : [`Row ${i + 1}: the ${titles[name]} was recognized as ${read}; ${value} follows from ${others}.`]
  })

const wrongRows = (items: TableItems["items"]): ReadonlyArray<string> =>
  items.flatMap((item, i) => {
    const { values } = item
    if (isConsistent(item) !== false) return []
    const product = `${String(values["quantity"])} × ${amount(values["unitPrice"])}`
    return [`Row ${i + 1}: ${product} is not ${amount(values["amount"])}.`]
  })

/** The confidence in a table of a flow's own of which nothing can be added up: measured, see `docs/measurements.md`. */
const plainTable = 0.85
const openTable = 0.6

/** Evaluates a table by its arithmetic and by how clearly its lines form rows and columns. */
export const tableProof = (
  field: Field,
  found: TableItems,
  columns: ReadonlyArray<TableColumns>,
  byHeadings: boolean
): TableProof => {
  const [first] = columns
  const { items, printed, sum } = found
  const proven = items.filter((item) => item.mended === undefined && isConsistent(item) === true).length
  const fails = wrongRows(items)
  const more = fails.length - mostNamed
  const doubts = [...fails.slice(0, mostNamed), ...(more > 0 ? [`${more} more rows do not add up.`] : [])]
  if (sum !== undefined && !printed)
    doubts.push(`The amounts add up to ${amount(sum)}, which is not printed.`)
  doubts.push(...mendedFigures(items).slice(0, mostNamed))
  const nowhere = unfound(field, found)
  if (nowhere.length > 0) doubts.push(`No heading was found for ${nowhere.join(", ")}.`)
  const empty = first === undefined ? [] : gaps(field, found, first).filter((name) => !nowhere.includes(name))
  if (empty.length > 0) doubts.push(`Some rows have no ${empty.join(", ")}.`)
  const open = openPoints(field, found, columns, byHeadings)
  const isClear = doubts.length === 0 && open.length === 0
  const isSummed = field.columns.some(({ name }) => name === "amount")
  const shared = { doubts, open, isSummed }
  if (!isSummed) return { quality: isClear ? plainTable : openTable, ...shared }
  const share = proven / Math.max(1, items.length)
  const unchecked = items.filter((item) => isConsistent(item) === undefined).length
  const quality = 0.6 + 0.35 * (printed ? (proven + unchecked) / Math.max(1, items.length) : share)
  if (isClear && sum !== undefined) return { quality, ...shared }
  return { quality: Math.min(quality, doubtful, fails.length > 0 || !printed ? 0.7 : 1), ...shared }
}
