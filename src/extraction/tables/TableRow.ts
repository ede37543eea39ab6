import { dayIn } from "../candidates/TypedValues.ts"
import type { Column } from "../lexicon/Field.ts"
import { type Money, parseFigure, parseMoney } from "../values/Money.ts"
import type { Decimal } from "../values/Numbers.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { textOfWords } from "../../domain/LineText.ts"

/** The words of a row of a table, by the name of their column. */
export type Cells = ReadonlyMap<string, ReadonlyArray<Token>>

/** One row of a table field; a cell that is missing or unreadable is null. */
export type TableRow = Record<string, string | number | null>

/** The words of a cell with a space between them. */
export const textOf = (tokens: ReadonlyArray<Token> | undefined): string => textOfWords(tokens ?? [])

/** How many words an amount in groups takes at most, with its currency. */
const longestAmount = 5

/** The amounts in a cell that may also hold a unit or a sign: `20 Stk.`, `1 850 m²`, `€ 9,90`, `12,00 6.019,20`. */
export const amountsIn = (
  text: string,
  decimal: Decimal | undefined,
  parse = parseMoney
): ReadonlyArray<Money> => {
  const words = text.split(" ")
  const found: Array<Money> = []
  for (let from = 0; from < words.length; from++)
    for (let to = Math.min(words.length, from + longestAmount); to > from; to--) {
      const part = parse(words.slice(from, to).join(" "), decimal)
      if (part === undefined) continue
      found.push(part)
      from = to - 1
      break
    }
  return found
}

const cellValue = (column: Column, tokens: ReadonlyArray<Token> | undefined, reading: Reading) => {
  const text = textOf(tokens)
  switch (column.type) {
    case "date":
      return dayIn(reading, text) ?? null
    case "number":
    case "integer":
    case "money":
      return amountsIn(text, reading.decimal)[0]?.value ?? null
    default:
      return text === "" ? null : text
  }
}

/** The values of a row's cells. */
export const rowValues = (columns: ReadonlyArray<Column>, cells: Cells, reading: Reading): TableRow =>
  Object.fromEntries(
    columns.map((column) => [column.name, cellValue(column, cells.get(column.name), reading)])
  )

/** A figure of a row that belongs to none of the columns that were asked for. */
export interface OtherFigure {
  readonly value: number
  /** Whether it is printed as an amount, with cents. */
  readonly isAmount: boolean
}

/** What the arithmetic of a row is about. */
export interface RowFigures {
  readonly values: TableRow
  readonly others: ReadonlyArray<OtherFigure>
}

/** The figures among words, such as `5 %` and `1 012,50`. */
export const figuresIn = (tokens: ReadonlyArray<Token>, { decimal }: Reading): ReadonlyArray<OtherFigure> =>
  [...Map.groupBy(tokens, ({ phrase }) => phrase).values()]
    .flatMap((phrase) => amountsIn(textOf(phrase), decimal, parseFigure))
    .map(({ decimals, value }) => ({ value: Math.abs(value), isAmount: decimals > 0 }))

/** A product after a discount: the figure is its percentage, or the discount itself. */
const reduced = (product: number, { isAmount, value }: OtherFigure): ReadonlyArray<number> => [
  ...(value < 100 ? [product * (1 - value / 100)] : []),
  ...(isAmount && value < product ? [product - value] : [])
]

/**
 * Quantity times price is the amount, less a discount that the row may have; undefined where one of them is missing, or
 * where nothing is proven by zeros. Credit notes print a minus before some of the three.
 */
export const isConsistent = ({ others, values }: RowFigures): boolean | undefined => {
  const { amount, quantity, unitPrice } = values
  if (typeof quantity !== "number" || typeof unitPrice !== "number") return undefined
  if (typeof amount !== "number" || amount === 0) return undefined
  const product = Math.abs(quantity * unitPrice)
  const isAmount = (made: number) => Math.abs(made - Math.abs(amount)) <= 0.02 + 0.002 * Math.abs(amount)
  return isAmount(product) || others.some((other) => reduced(product, other).some(isAmount))
}

/**
 * The figures of a row of which one cell has several: the one with which the row adds up, and the rest with the others. Columns that
 * are close to each other are read as one cell: a discount and an amount, `12,00 6.019,20`.
 */
export const withBestFigures = (row: RowFigures, cells: Cells, { decimal }: Reading): RowFigures => {
  if (isConsistent(row) !== false) return row
  for (const name of ["amount", "unitPrice", "quantity"]) {
    const all = amountsIn(textOf(cells.get(name)), decimal)
    for (const { value } of all) {
      const rest = all.filter((one) => one.value !== value)
      const others = rest.map((one) => ({ value: Math.abs(one.value), isAmount: one.decimals > 0 }))
      const next = { values: { ...row.values, [name]: value }, others: [...row.others, ...others] }
      if (isConsistent(next) === true) return next
    }
  }
  return row
}
