import { type Candidate, rowKey } from "../candidates/Candidate.ts"
import type { PageModel } from "../page/PageModel.ts"
import { columnOfFigures, columnsOfTexts, type ImpliedRow, lettersIn, otherWords } from "./ImpliedColumns.ts"
import type { TableHeader } from "./TableHeader.ts"
import { sumLabels, type TableSearch } from "./TableLines.ts"

/** A row that ends in an amount. */
interface AmountRow extends ImpliedRow {
  readonly amount: Candidate<number>
}

/** The number of rows from the first sum on in which the one may be that a table adds up to. */
const sumRows = 12
/** The number of rows without an amount that may be between two of a table: the lines of a description. */
const linesBetween = 3
/** A single amount above a sum proves nothing. */
const fewestRows = 2

const right = ({ bbox }: Candidate): number => bbox.x + bbox.w

/** The amount at the end of a row with words in front of it. */
const amountRow = ({ reading }: TableSearch, model: PageModel, page: number, row: number) => {
  const amount = reading.moneyByRow.get(rowKey(page, row))?.at(-1)
  if (amount === undefined || amount.quality < 0.85 || Math.abs(amount.value) < 0.01) return undefined
  const found: AmountRow = { row, figures: [amount], amount }
  const words = otherWords(model, found)
  const isLast = words.every(({ x }) => x < right(amount))
  return isLast && lettersIn(words) > 1 ? found : undefined
}

const isSum = (search: TableSearch, page: number, row: number): boolean =>
  search.reading.moneyByRow.has(rowKey(page, row)) && sumLabels(search, page, row).length > 0

/** The amounts in the sums that begin at a row. */
const sumsFrom = (search: TableSearch, page: number, first: number): ReadonlyArray<number> =>
  Array.from({ length: sumRows }, (_, i) => first + i).flatMap((row) =>
    isSum(search, page, row)
      ? (search.reading.moneyByRow.get(rowKey(page, row)) ?? []).map(({ value }) => value)
      : []
  )

/** The most rows above the sums that add up to one of them, their amounts one under the other. */
const rowsAbove = (
  search: TableSearch,
  model: PageModel,
  page: number,
  end: number
): ReadonlyArray<AmountRow> => {
  const sums = sumsFrom(search, page, end)
  const rows: Array<AmountRow> = []
  let [added, between, proven] = [0, 0, 0]
  for (let row = end - 1; row >= 0 && between <= linesBetween && !isSum(search, page, row); row--) {
    const found = amountRow(search, model, page, row)
    const isBeneath =
      found !== undefined && Math.abs(right(found.amount) - right(rows[0]?.amount ?? found.amount)) <= 3
    if (!isBeneath) {
      between++
      continue
    }
    between = 0
    rows.unshift(found)
    added += found.amount.value
    if (rows.length >= fewestRows && sums.some((sum) => Math.abs(sum - added) < 0.006)) proven = rows.length
  }
  return proven === 0 ? [] : rows.slice(-proven)
}

/**
 * The columns of a table of descriptions and amounts alone whose headings are not known: by the rows on a page that add up
 * to a sum below them. Undefined where none do.
 */
export const tableByAmounts = (search: TableSearch, page: number): TableHeader | undefined => {
  const { columns } = search.field
  const model = search.reading.pages[page]
  if (model === undefined || !columns.some(({ name }) => name === "amount")) return undefined
  const ends = [...model.rows.keys()].filter(
    (row) => isSum(search, page, row) && !isSum(search, page, row - 1)
  )
  const [rows = []] = ends
    .map((end) => rowsAbove(search, model, page, end))
    .toSorted((a, b) => b.length - a.length)
  const [first] = rows
  const texts = columnsOfTexts(model, columns, rows)
  if (first === undefined || texts.length === 0) return undefined
  const amounts = columnOfFigures(
    columns,
    "amount",
    rows.map(({ amount }) => amount)
  )
  return { firstRow: first.row - 1, lastRow: first.row - 1, headings: [...texts, amounts], worth: 1 }
}
