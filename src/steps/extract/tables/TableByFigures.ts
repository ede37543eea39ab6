import { type Candidate, rowKey } from "../candidates/Candidate.ts"
import type { Column } from "../Field.ts"
import type { Reading } from "../page/Reading.ts"
import { columnOfFigures, impliedColumns } from "./ImpliedColumns.ts"
import type { TableHeader } from "./TableHeader.ts"

/** A row in which one figure times another is a third. */
interface Product {
  readonly row: number
  readonly quantity: Candidate<number>
  readonly unitPrice: Candidate<number>
  readonly amount: Candidate<number>
  /** A quantity of one proves nothing. */
  readonly proves: boolean
}

const right = ({ bbox }: Candidate): number => bbox.x + bbox.w

const isWhole = ({ text }: Candidate): boolean => /^\d+$/u.test(text)

const productIn = (row: number, figures: ReadonlyArray<Candidate<number>>): Product | undefined => {
  for (const amount of figures.toReversed()) {
    if (Math.abs(amount.value) < 0.01 || amount.quality < 0.85) continue
    const before = figures.filter((figure) => figure.span.to < amount.span.from && figure.value !== 0)
    for (const [i, left] of before.entries()) {
      for (const other of before.slice(i + 1)) {
        if (Math.abs(Math.abs(left.value * other.value) - Math.abs(amount.value)) > 0.011) continue
        const swapped = isWhole(other) && !isWhole(left)
        const [quantity, unitPrice] = swapped ? [other, left] : [left, other]
        return { row, quantity, unitPrice, amount, proves: left.value !== 1 && other.value !== 1 }
      }
    }
  }
  return undefined
}

const beneath = (a: Candidate, b: Candidate): boolean =>
  Math.abs(right(a) - right(b)) <= 6 || Math.abs(a.bbox.x - b.bbox.x) <= 3

const alike = (a: Product, b: Product): boolean =>
  beneath(a.quantity, b.quantity) && beneath(a.unitPrice, b.unitPrice) && beneath(a.amount, b.amount)

/**
 * The columns of a table that has no headings, or none that are known: by the rows on a page in which quantity times
 * price is the amount, one under the other. Undefined where no row proves it.
 */
export const tableByFigures = (
  reading: Reading,
  page: number,
  columns: ReadonlyArray<Column>
): TableHeader | undefined => {
  const model = reading.pages[page]
  if (
    model === undefined ||
    !["quantity", "unitPrice", "amount"].every((name) => columns.some((c) => c.name === name))
  )
    return undefined
  const products = model.rows.flatMap((_, row) => {
    const figures = reading.moneyByRow.get(rowKey(page, row)) ?? []
    return productIn(row, figures) ?? []
  })
  const groups = products.map((product) => products.filter((other) => alike(product, other)))
  const [most] = groups.toSorted((a, b) => b.length - a.length)
  const [first] = most ?? []
  if (most === undefined || first === undefined || !most.some(({ proves }) => proves)) return undefined
  const rows = most.map(({ row, quantity, unitPrice, amount }) => ({
    row,
    figures: [quantity, unitPrice, amount]
  }))
  const figures = (["quantity", "unitPrice", "amount"] as const).map((name) =>
    columnOfFigures(
      columns,
      name,
      most.map((product) => product[name])
    )
  )
  const headings = impliedColumns(model, columns, rows, figures)
  if (headings.length === 0) return undefined
  return { firstRow: first.row - 1, lastRow: first.row - 1, headings, worth: 1.5 }
}
