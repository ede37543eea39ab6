import type { Box } from "../../../domain/DocumentIR.ts"
import { parseMoney } from "../candidates/Money.ts"
import { around, type PageModel, type Token } from "../page/PageModel.ts"
import type { Heading } from "./TableHeader.ts"

/** What stands in one row of a table, by column. */
export interface Cells {
  readonly row: number
  readonly bbox: Box
  readonly byColumn: ReadonlyMap<string, ReadonlyArray<Token>>
}

const right = (box: Box): number => box.x + box.w

const overlap = (a: Box, b: Box): number => Math.min(right(a), right(b)) - Math.max(a.x, b.x)

/** The heading that a box stands under: the one it shares most width with, or else the nearest. */
const headingOver = (headings: ReadonlyArray<Heading>, box: Box): Heading | undefined =>
  headings.toSorted((a, b) => overlap(b.bbox, box) - overlap(a.bbox, box))[0]

const assign = (headings: ReadonlyArray<Heading>, tokens: ReadonlyArray<Token>): Array<[Token, Heading]> => {
  const box = around(tokens)
  const under = headings.filter((heading) => overlap(heading.bbox, box) > 0)
  if (under.length < 2) {
    const heading = headingOver(headings, box)
    return heading === undefined ? [] : tokens.map((token) => [token, heading])
  }
  // A run that stands under several headings is several cells set close together, or a long text: words stay with the
  // word before them unless they are figures right under a heading.
  const found: Array<[Token, Heading]> = []
  let current = headingOver(headings, tokens[0] ?? box)
  for (const token of tokens) {
    const own = under.find((heading) => overlap(heading.bbox, token) > 0)
    const figure = parseMoney(token.text) !== undefined
    if (own !== undefined && (figure || current?.column?.type !== "string")) current = own
    if (current !== undefined) found.push([token, current])
  }
  return found
}

/** Puts the tokens of a row into the columns of a table. Columns without a name are left out. */
export const cellsOfRow = (model: PageModel, row: number, headings: ReadonlyArray<Heading>): Cells => {
  const tokens = model.rows[row] ?? []
  const byColumn = new Map<string, Array<Token>>()
  for (const phrase of Map.groupBy(tokens, (token) => token.phrase).values()) {
    for (const [token, heading] of assign(headings, phrase)) {
      if (heading.column === undefined) continue
      const cell = byColumn.get(heading.column.name)
      if (cell === undefined) byColumn.set(heading.column.name, [token])
      else cell.push(token)
    }
  }
  return { row, bbox: around(tokens), byColumn }
}
