import { type Candidate, rowKey } from "../candidates/Candidate.ts"
import type { Column } from "../Field.ts"
import { around, type PageModel, type Token } from "../page/PageModel.ts"
import type { Reading } from "../page/Reading.ts"
import type { Heading, TableHeader } from "./TableHeader.ts"
import { defined } from "../../../domain/Defined.ts"

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

const phrasesOf = (tokens: ReadonlyArray<Token>): Array<ReadonlyArray<Token>> => [
  ...Map.groupBy(tokens, (token) => token.phrase).values()
]

const letters = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)

const named = (
  columns: ReadonlyArray<Column>,
  name: string,
  parts: ReadonlyArray<Candidate>
): Array<Heading> => {
  const column = columns.find((column) => column.name === name)
  return [{ ...defined({ column }), bbox: around(parts.map(({ bbox }) => bbox)), quality: 0.6 }]
}

/** The texts of the rows: the longest of each is the description, what else there is has no name. */
const textsOf = (
  model: PageModel,
  columns: ReadonlyArray<Column>,
  products: ReadonlyArray<Product>
): Array<Heading> => {
  const column = columns.find(({ name }) => name === "description")
  const rows = products.map(({ row, quantity, unitPrice, amount }) => {
    const taken = (i: number) =>
      [quantity, unitPrice, amount].some(({ span }) => span.from <= i && i <= span.to)
    return phrasesOf((model.rows[row] ?? []).filter((_, i) => !taken(i))).toSorted(
      (a, b) => letters(b) - letters(a)
    )
  })
  const descriptions = rows.flatMap(([longest]) => (longest === undefined ? [] : [around(longest)]))
  if (column === undefined || descriptions.length === 0) return []
  const others = rows.flatMap((phrases) =>
    phrases.slice(1).map((tokens) => ({ bbox: around(tokens), quality: 0 }))
  )
  return [{ column, bbox: around(descriptions), quality: 0.6 }, ...others]
}

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
  const texts = textsOf(model, columns, most)
  if (texts.length === 0) return undefined
  const headings = [
    ...texts,
    ...named(
      columns,
      "quantity",
      most.map(({ quantity }) => quantity)
    ),
    ...named(
      columns,
      "unitPrice",
      most.map(({ unitPrice }) => unitPrice)
    ),
    ...named(
      columns,
      "amount",
      most.map(({ amount }) => amount)
    )
  ]
  return { firstRow: first.row - 1, lastRow: first.row - 1, headings, worth: 1.5 }
}
