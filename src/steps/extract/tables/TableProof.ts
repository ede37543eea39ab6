import type { Column, Field } from "../Field.ts"
import { isConsistent } from "./TableRow.ts"
import type { TableItems } from "./TableItems.ts"
import type { TableColumns } from "./TableLines.ts"

/** The quality of a table, 0–1, and what is wrong with it, as sentences for people. */
export interface TableProof {
  readonly quality: number
  readonly doubts: ReadonlyArray<string>
}

/** The most that a table with a doubt is worth: never sure. */
const doubtful = 0.8
/** How many rows that fail are named. */
const mostNamed = 5
/** Recognition less sure than this misreads letters. */
const leastRecognised = 0.9

const headingQuality = (columns: TableColumns, column: Column): number | undefined =>
  columns.header.headings.find((heading) => heading.column === column)?.quality

/** Columns that some rows fill and others do not, or whose heading is there and nothing under it. */
const gaps = (field: Field, { items }: TableItems, columns: TableColumns): ReadonlyArray<string> =>
  field.columns
    .filter((column) => headingQuality(columns, column) !== undefined)
    .filter(({ name }) => items.some(({ values }) => values[name] === null))
    .map(({ name }) => name)

/** Whether a column that was asked for may be one whose heading is unknown. */
const hasUnknown = (field: Field, { header }: TableColumns): boolean =>
  field.columns.some((column) => !header.headings.some((heading) => heading.column === column)) &&
  header.headings.some(({ column }) => column === undefined)

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

/** Evaluates a table by its arithmetic and by how clearly its lines form rows and columns. */
export const tableProof = (
  field: Field,
  found: TableItems,
  columns: ReadonlyArray<TableColumns>,
  byHeadings: boolean
): TableProof => {
  const [first] = columns
  const { guessed, items, printed, sum } = found
  const proven = items.filter((item) => item.mended === undefined && isConsistent(item) === true).length
  const fails = wrongRows(items)
  const more = fails.length - mostNamed
  const doubts = [...fails.slice(0, mostNamed), ...(more > 0 ? [`${more} more rows do not add up.`] : [])]
  if (sum !== undefined && !printed)
    doubts.push(`The amounts add up to ${amount(sum)}, which is not printed.`)
  doubts.push(...mendedFigures(items).slice(0, mostNamed))
  const empty = first === undefined ? [] : gaps(field, found, first)
  if (empty.length > 0) doubts.push(`Some rows have no ${empty.join(", ")}.`)
  const isUnclear =
    !byHeadings ||
    guessed ||
    first === undefined ||
    sum === undefined ||
    items.some(({ across }) => across) ||
    columns.some(({ edges }) => edges.some((edge) => edge.doubtful)) ||
    hasUnknown(field, first) ||
    field.columns.some((column) => (headingQuality(first, column) ?? 1) < 0.65)
  const isMisread = items.some(({ cells }) =>
    [...cells.values()].flat().some(({ confidence = 1 }) => confidence < leastRecognised)
  )
  const share = proven / Math.max(1, items.length)
  const unchecked = items.filter((item) => isConsistent(item) === undefined).length
  const quality = 0.6 + 0.35 * (printed ? (proven + unchecked) / Math.max(1, items.length) : share)
  if (doubts.length === 0 && !isUnclear && !isMisread) return { quality, doubts }
  return { quality: Math.min(quality, doubtful, fails.length > 0 || !printed ? 0.7 : 1), doubts }
}
