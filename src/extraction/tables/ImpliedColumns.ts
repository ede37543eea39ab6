import type { Candidate } from "../layout/Candidate.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import type { Column } from "../lexicon/Field.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import type { Heading } from "./TableHeader.ts"
import { defined } from "../../support/Defined.ts"

/** A row of a table whose columns no heading names, and the figures in it that belong to the table. */
export interface ImpliedRow {
  readonly row: number
  readonly figures: ReadonlyArray<Candidate<number>>
}

/** The words of a row in runs that are set closely. */
const phrasesOf = (tokens: ReadonlyArray<Token>): Array<ReadonlyArray<Token>> => [
  ...Map.groupBy(tokens, (token) => token.phrase).values()
]

/** The number of letters in some words. */
export const lettersIn = (tokens: ReadonlyArray<Token>): number =>
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
