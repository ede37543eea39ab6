import type { Candidate } from "../candidates/Candidate.ts"
import type { Column } from "../Field.ts"
import { around, type PageModel, type Token } from "../page/PageModel.ts"
import type { Heading } from "./TableHeader.ts"
import { defined } from "../../../domain/Defined.ts"

/** A row of a table whose columns no heading names, and the figures in it that belong to the table. */
export interface ImpliedRow {
  readonly row: number
  readonly figures: ReadonlyArray<Candidate<number>>
}

const phrasesOf = (tokens: ReadonlyArray<Token>): Array<ReadonlyArray<Token>> => [
  ...Map.groupBy(tokens, (token) => token.phrase).values()
]

/** The number of letters in some words. */
export const lettersIn = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)

/** The words of a row that are none of its figures. */
export const otherWords = (model: PageModel, { figures, row }: ImpliedRow): ReadonlyArray<Token> =>
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

/** The texts of some rows: the longest of each is the description, what else there is has no name. None without any. */
export const columnsOfTexts = (
  model: PageModel,
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ImpliedRow>
): ReadonlyArray<Heading> => {
  const column = columns.find(({ name }) => name === "description")
  const texts = rows.map((row) =>
    phrasesOf(otherWords(model, row)).toSorted((a, b) => lettersIn(b) - lettersIn(a))
  )
  const descriptions = texts.flatMap(([longest]) => (longest === undefined ? [] : [around(longest)]))
  if (column === undefined || descriptions.length === 0) return []
  const others = texts.flatMap((phrases) =>
    phrases.slice(1).map((tokens) => ({ bbox: around(tokens), quality: 0 }))
  )
  return [{ column, bbox: around(descriptions), quality: 0.6 }, ...others]
}
