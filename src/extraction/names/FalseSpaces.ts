import type { Ranked } from "../candidates/Ranked.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { around, type Token } from "../layout/PageModel.ts"
import { isOtherParty, shortest } from "./CompletedName.ts"
import { type PartyContext, partyFeatures } from "./PartyFeatures.ts"

/** How many places of a name are compared: a document that prints it more often says nothing new. */
const mostPlaces = 50

/** The words of a row, from one on, that spell some letters when spaces are left out; undefined if they do not. */
const spelling = (
  row: ReadonlyArray<Token>,
  from: number,
  letters: string
): ReadonlyArray<Token> | undefined => {
  let spelt = ""
  for (let to = from; to < row.length; to++) {
    spelt += row[to]?.folded ?? ""
    if (spelt === letters) return row.slice(from, to + 1)
    if (!letters.startsWith(spelt)) return undefined
  }
  return undefined
}

/**
 * A name whose letters are set so far apart that a word of it is read as two, as it is printed elsewhere: `Ruswarp Brewing Company` of the
 * foot for the `Ruswa rp Brewing Company` of a letterhead. Of several, the one of the fewest words.
 */
export const withoutFalseSpaces = (context: PartyContext, name: Ranked<string>): Ranked<string> => {
  const { pages } = context.reading
  const own = (pages[name.span.page]?.rows[name.span.row] ?? []).slice(name.span.from, name.span.to + 1)
  const letters = own.map(({ folded }) => folded).join("")
  if (letters.length < shortest || textOfWords(own) !== name.text) return name
  let [best, fewest, left] = [name, own.length, mostPlaces]
  for (const [page, { rows }] of pages.entries())
    for (const [row, tokens] of rows.entries())
      for (const [from, { folded }] of tokens.entries()) {
        if (left === 0) return best
        if (folded === "" || !letters.startsWith(folded)) continue
        const found = spelling(tokens, from, letters)
        if (found === undefined || found.length >= fewest) continue
        left -= 1
        const text = textOfWords(found)
        const value = text.replace(/[,;:]$/u, "")
        const span = { page, row, from, to: from + found.length - 1 }
        const candidate = { ...name, span, bbox: around(found), text, value }
        if (isOtherParty(partyFeatures(context, candidate, value))) continue
        ;[best, fewest] = [candidate, found.length]
      }
  return best
}
