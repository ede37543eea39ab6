import type { Column } from "../lexicon/Field.ts"
import { inCents } from "../../support/Cents.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { type PageModel, around, type Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { showsCents } from "../values/Money.ts"
import type { TableHeader, Heading } from "./TableHeader.ts"
import type { TableSearch } from "./TableLines.ts"
import { defined } from "../../support/Defined.ts"

/** A row of a table whose columns no heading names, and the figures in it that belong to the table. */
interface ImpliedRow {
  readonly row: number
  readonly figures: ReadonlyArray<Candidate<number>>
}

/** The words of a row in runs that are set closely. */
const phrasesOf = (tokens: ReadonlyArray<Token>): Array<ReadonlyArray<Token>> => [
  ...Map.groupBy(tokens, (token) => token.phrase).values()
]

/** The number of letters in some words. */
const lettersIn = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)

/** The words of a row that are none of its figures. */
const otherWords = (model: PageModel, { figures, row }: ImpliedRow): ReadonlyArray<Token> =>
  (model.rows[row] ?? []).filter((_, i) => !figures.some(({ span }) => span.from <= i && i <= span.to))

/** The column that some figures make, one in each row. */
export const columnOfFigures = (
  columns: ReadonlyArray<Column>,
  name: string,
  figures: ReadonlyArray<Candidate>
): Heading => {
  const column = columns.find((column) => column.name === name)
  return { ...defined({ column }), bbox: around(figures.map(({ bbox }) => bbox)), quality: 0.6 }
}

const right = ({ w, x }: Box): number => x + w

/** Boxes that are above each other, joined. */
const joinedAcross = (boxes: ReadonlyArray<Box>): Array<Box> => {
  const joined: Array<Box> = []
  for (const box of boxes.toSorted((a, b) => a.x - b.x)) {
    const last = joined.at(-1)
    if (last !== undefined && box.x < right(last)) joined[joined.length - 1] = around([last, box])
    else joined.push(box)
  }
  return joined
}

/**
 * The columns of some rows from left to right: those of the figures, the longest words next to them as the description, and
 * what else there is, without a name. None where the rows have nothing but figures.
 */
export const impliedColumns = (
  model: PageModel,
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ImpliedRow>,
  figures: ReadonlyArray<Heading>
): ReadonlyArray<Heading> => {
  const column = columns.find(({ name }) => name === "description")
  const phrases = rows.map((row) =>
    phrasesOf(otherWords(model, row)).toSorted((a, b) => lettersIn(b) - lettersIn(a))
  )
  const descriptions = phrases.flatMap(([longest]) => (longest === undefined ? [] : [around(longest)]))
  if (column === undefined || descriptions.length === 0) return []
  const named = [{ column, bbox: around(descriptions), quality: 0.6 }, ...figures]
  const others = rows
    .flatMap(({ row }) => phrasesOf(model.rows[row] ?? []).map(around))
    .filter((box) => named.every(({ bbox }) => box.x >= right(bbox) || right(box) <= bbox.x))
  const unnamed = joinedAcross(others).map((bbox) => ({ bbox, quality: 0 }))
  return [...named, ...unnamed].toSorted((a, b) => a.bbox.x - b.bbox.x)
}

/** A row with an amount. */
interface PricedRow extends ImpliedRow {
  readonly amount: Candidate<number>
}

/** The amounts of a row, printed with cents or a currency: `$1,750`. */
const amountsIn = ({ reading }: TableSearch, page: number, row: number): ReadonlyArray<Candidate<number>> =>
  (reading.moneyByRow.get(rowKey(page, row)) ?? []).filter(
    ({ quality, text }) => quality >= 0.85 && (showsCents(text) || /\p{Sc}/u.test(text))
  )

/** The amounts of a page, each with its row. */
const pricedRows = (search: TableSearch, page: number, { rows }: PageModel): ReadonlyArray<PricedRow> =>
  [...rows.keys()].flatMap((row) => {
    const figures = amountsIn(search, page, row)
    return figures.map((amount) => ({ row, amount, figures }))
  })

const edges = [right, ({ x }: Box): number => x]

/** The amounts that end, or begin, one under the other, from the column on the left to the one on the right. */
const columnsOf = (all: ReadonlyArray<PricedRow>): Array<ReadonlyArray<PricedRow>> =>
  edges.flatMap((edge) => {
    const columns: Array<Array<PricedRow>> = []
    for (const priced of all.toSorted((a, b) => edge(a.amount.bbox) - edge(b.amount.bbox))) {
      const last = columns.at(-1)
      const [first] = last ?? []
      if (first !== undefined && edge(priced.amount.bbox) - edge(first.amount.bbox) <= sameEdge)
        last?.push(priced)
      else columns.push([priced])
    }
    return columns.map((column) => column.toSorted((a, b) => a.row - b.row))
  })

/** Edges closer than this, in points, are those of one column. */
const sameEdge = 6

const sumOf = (rows: ReadonlyArray<PricedRow>): number =>
  rows.reduce((sum, { amount }) => sum + inCents(amount.value), 0)

const printed = new WeakMap<Reading, ReadonlySet<number>>()

/** The amounts of a document in cents: a page may have thousands of rows, and a document hundreds of pages. */
const printedIn = (reading: Reading): ReadonlySet<number> => {
  const known = printed.get(reading) ?? new Set(reading.money.map(({ value }) => inCents(value)))
  printed.set(reading, known)
  return known
}

/**
 * The most rows of a column, from its first on, whose amounts add up to one that is printed. A balance of before and its payment,
 * which come to nothing, are above them.
 */
const addingUp = (reading: Reading, all: ReadonlyArray<PricedRow>): ReadonlyArray<PricedRow> => {
  const amounts = printedIn(reading)
  let settled = 0
  let before = 0
  for (const [at, { amount }] of all.entries()) {
    before += inCents(amount.value)
    if (before === 0) settled = at + 1
  }
  const column = all.slice(settled)
  let sum = sumOf(column)
  for (let count = column.length; count > 1; count--) {
    if (sum > 0 && amounts.has(sum)) return column.slice(0, count)
    sum -= inCents(column[count - 1]?.amount.value ?? 0)
  }
  return []
}

/**
 * The columns of a table that has no headings, or none that are known, and no quantities: by the rows on a page whose
 * amounts, one under the other behind what they are for, add up to an amount that is printed elsewhere. Of several such
 * columns (net, tax, gross) the first that is not tax. Undefined where nothing adds up.
 */
export const tableByAmounts = (search: TableSearch, page: number): TableHeader | undefined => {
  const model = search.reading.pages[page]
  const { columns: known } = search.field
  if (model === undefined || !known.some(({ name }) => name === "amount")) return undefined
  const columns = columnsOf(pricedRows(search, page, model)).map((column) => addingUp(search.reading, column))
  const most = Math.max(0, ...columns.map(sumOf))
  const rows = columns.find((column) => column.length > 1 && sumOf(column) > most / 2)
  const [first] = rows ?? []
  if (rows === undefined || first === undefined) return undefined
  const amounts = rows.map(({ amount }) => amount)
  const headings = impliedColumns(model, known, rows, [columnOfFigures(known, "amount", amounts)])
  if (headings.length < 2) return undefined
  const last = rows.at(-1)?.row ?? first.row
  const after = model.rows.findIndex((_, row) => row > last && amountsIn(search, page, row).length > 0)
  const until = after < 0 ? model.rows.length : after
  return { firstRow: first.row - 1, lastRow: first.row - 1, headings, worth: 1, until }
}

/** A row in which one figure times another is a third. */
interface Product {
  readonly row: number
  readonly quantity: Candidate<number>
  readonly unitPrice: Candidate<number>
  readonly amount: Candidate<number>
  /** A quantity of one proves nothing. */
  readonly proves: boolean
}

/** The least quality of a number that is likely an amount, with or without cents. */
const likelyAmount = 0.7

/** The number of figures of a row that are compared, from the right. */
const mostFigures = 12

/** All products of a row. In `1  1  1,500,000  1,500,000`, the number of the line makes one as the quantity does. */
const productsIn = (row: number, figures: ReadonlyArray<Candidate<number>>): ReadonlyArray<Product> =>
  figures.flatMap((amount) => {
    if (Math.abs(amount.value) < 0.01 || amount.quality < likelyAmount) return []
    const before = figures.filter((figure) => figure.span.to < amount.span.from && figure.value !== 0)
    return before.flatMap((quantity, i) =>
      before.slice(i + 1).flatMap((unitPrice): ReadonlyArray<Product> => {
        const product = Math.abs(quantity.value * unitPrice.value)
        if (Math.abs(product - Math.abs(amount.value)) > 0.011) return []
        const proves = quantity.value !== 1 && unitPrice.value !== 1
        return [{ row, quantity, unitPrice, amount, proves }]
      })
    )
  })

const beneath = (a: Candidate, b: Candidate): boolean =>
  Math.abs(right(a.bbox) - right(b.bbox)) <= 6 || Math.abs(a.bbox.x - b.bbox.x) <= 3

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
  const products = model.rows.flatMap((_, row) =>
    productsIn(row, (reading.moneyByRow.get(rowKey(page, row)) ?? []).slice(-mostFigures))
  )
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
