import { parseDate } from "../candidates/Dates.ts"
import type { Column } from "../Field.ts"
import { parseMoney } from "../candidates/Money.ts"
import type { Decimal } from "../candidates/Numbers.ts"
import type { Token } from "../page/PageModel.ts"
import type { Reading } from "../page/Reading.ts"
import { textOfWords } from "../../../domain/LineText.ts"

/** The words of a row of a table, by the name of their column. */
export type Cells = ReadonlyMap<string, ReadonlyArray<Token>>

/** One row of a table field; a cell that is missing or unreadable is null. */
export type TableRow = Record<string, string | number | null>

/** The words of a cell with a space between them. */
export const textOf = (tokens: ReadonlyArray<Token> | undefined): string => textOfWords(tokens ?? [])

/** The amount in a cell that may also hold a unit or a sign: `20 Stk.`, `€ 9,90`. */
const amountIn = (text: string, decimal: Decimal | undefined): number | null => {
  const whole = parseMoney(text, decimal)
  if (whole !== undefined) return whole.value
  for (const word of text.split(" ")) {
    const part = parseMoney(word, decimal)
    if (part !== undefined) return part.value
  }
  return null
}

const cellValue = (column: Column, tokens: ReadonlyArray<Token> | undefined, reading: Reading) => {
  const text = textOf(tokens)
  switch (column.type) {
    case "date":
      return parseDate(text, reading.dateOrder, reading.lexicon)?.iso ?? null
    case "number":
    case "integer":
    case "money":
      return amountIn(text, reading.decimal)
    default:
      return text === "" ? null : text
  }
}

/** The values of a row's cells. */
export const rowValues = (columns: ReadonlyArray<Column>, cells: Cells, reading: Reading): TableRow =>
  Object.fromEntries(
    columns.map((column) => [column.name, cellValue(column, cells.get(column.name), reading)])
  )

/** `GTIN: 4012345001235` under a description is a remark, not a part of it. */
export const isRemark = (text: string): boolean => /^[*•-]|^\p{L}[\p{L}\s.-]*:/u.test(text)

/**
 * Quantity times price is the amount; undefined where one of them is missing, or where nothing is proven by zeros.
 * Credit notes print a minus before some of the three.
 */
export const isConsistent = ({ quantity, unitPrice, amount }: TableRow): boolean | undefined =>
  typeof quantity === "number" && typeof unitPrice === "number" && typeof amount === "number" && amount !== 0
    ? Math.abs(Math.abs(quantity * unitPrice) - Math.abs(amount)) <= 0.02 + 0.002 * Math.abs(amount)
    : undefined
