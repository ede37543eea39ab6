import type { Column, Field } from "../lexicon/Field.ts"
import { isConsistent } from "./TableRow.ts"
import type { TableItems } from "./TableItems.ts"
import type { TableColumns } from "./TableLines.ts"

/** Recognition less sure than this misreads letters. */
const leastRecognised = 0.9
/** A heading that is less like the labels of its column may name another. */
const leastHeading = 0.65

/** How well the heading of a column names it; nothing where it has none. */
const headingQuality = (columns: TableColumns, column: Column): number | undefined =>
  columns.header.headings.find((heading) => heading.column === column)?.quality

/** What the headings, lines and letters of a table leave open, as sentences for people. */
const openPoints = (
  field: Field,
  { guessed, items }: TableItems,
  columns: ReadonlyArray<TableColumns>,
  byHeadings: boolean
): ReadonlyArray<string> => {
  const [first] = columns
  if (!byHeadings || first === undefined)
    return ["The columns were found by their figures, without known headings."]
  const similar = field.columns
    .filter((column) => (headingQuality(first, column) ?? 1) < leastHeading)
    .map(({ name }) => name)
  const twice = first.header.headings.flatMap(({ rival }) => (rival === undefined ? [] : [rival.name]))
  const unknown = first.header.headings.some(({ column }) => column === undefined)
  const words = items.flatMap(({ cells }) => [...cells.values()].flat())
  const points: ReadonlyArray<readonly [boolean, string]> = [
    [guessed, "Some lines may belong to another row."],
    [items.some(({ across }) => across), "A word lies across two columns."],
    [columns.some(({ edges }) => edges.some(({ doubtful }) => doubtful)), "It is open where a column ends."],
    [
      unknown && field.columns.some((column) => headingQuality(first, column) === undefined),
      "The table has a heading that is not known, and not every column has one."
    ],
    [similar.length > 0, `The heading of ${similar.join(", ")} is only similar to its labels.`],
    [twice.length > 0, `More than one heading is a label of ${[...new Set(twice)].join(", ")}.`],
    [
      words.some(({ confidence = 1 }) => confidence < leastRecognised),
      "Some words of the table were recognized uncertainly."
    ]
  ]
  return points.flatMap(([is, sentence]) => (is ? [sentence] : []))
}

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

const wrongRows = (items: TableItems["items"]): ReadonlyArray<string> =>
  items.flatMap((item, i) => {
    const { values } = item
    if (isConsistent(item) !== false) return []
    const product = `${String(values["quantity"])} × ${amount(values["unitPrice"])}`
    return [`Row ${i + 1}: ${product} is not ${amount(values["amount"])}.`]
  })

/** The confidence in a table of a flow's own of which nothing can be added up: measured. */
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
  const proven = items.filter((item) => isConsistent(item) === true).length
  const fails = wrongRows(items)
  const more = fails.length - mostNamed
  const doubts = [...fails.slice(0, mostNamed), ...(more > 0 ? [`${more} more rows do not add up.`] : [])]
  if (sum !== undefined && !printed)
    doubts.push(`The amounts add up to ${amount(sum)}, which is not printed.`)
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
