import type { Candidate } from "../layout/Candidate.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { around, type Token } from "../layout/PageModel.ts"
import { isOtherParty, placesIn } from "./CompletedName.ts"
import { type PartyContext, partyFeatures } from "./PartyFeatures.ts"

/** The distance between two lines of a name, in heights of its letters. */
const farthest = 1.2
/** How many lines a name goes on in below its first. */
const mostMore = 2
const mostWordsOfTitle = 3
/** A row of more words is no heading of a page. */
const mostWordsOfRow = 40

/** The words below a line at the same edge, or in its middle, in letters as large. */
const lineBelow = (
  rows: ReadonlyArray<ReadonlyArray<Token>>,
  at: number,
  line: ReadonlyArray<Token>
): { readonly row: number; readonly tokens: ReadonlyArray<Token> } | undefined => {
  const box = around(line)
  for (const row of [at + 1, at + 2]) {
    for (const tokens of Map.groupBy(rows[row] ?? [], ({ phrase }) => phrase).values()) {
      const own = around(tokens)
      const isAligned =
        Math.abs(own.x - box.x) < 0.5 * box.h ||
        Math.abs(own.x + own.w / 2 - (box.x + box.w / 2)) < 0.5 * box.h
      const isAlike = own.h > 0.5 * box.h && own.h < 1.5 * box.h
      const isName = !tokens.some(({ text }) => /\d/u.test(text))
      if (isName && isAligned && isAlike && own.y - (box.y + box.h) < farthest * box.h) return { row, tokens }
    }
  }
  return undefined
}

/** Whether some words are the beginning of a title that goes on in the line below: `ADJUSTMENT` above `NOTE`. */
export const beginsTitle = ({ reading, words }: PartyContext, { span }: Candidate): boolean => {
  const rows = reading.pages[span.page]?.rows ?? []
  const row = rows[span.row] ?? []
  const line = row.slice(span.from, span.to + 1)
  if (line.length > mostWordsOfTitle || row.length > mostWordsOfRow) return false
  const below = lineBelow(rows, span.row, line)
  return below !== undefined && words.isTitle(textOfWords([...line, ...below.tokens]))
}

/**
 * A name that goes on in the lines below it, where the document prints the whole of it in one line elsewhere: a logo shows
 * `SARL COULEURS` above `DU LITTORAL`, the foot `SARL COULEURS DU LITTORAL au capital de …`. With the words as they are printed in
 * one line.
 */
export const printedWhole = (context: PartyContext, name: Ranked<string>): Ranked<string> => {
  const rows = context.reading.pages[name.span.page]?.rows ?? []
  const { from, row, to } = name.span
  let line: ReadonlyArray<Token> = (rows[row] ?? []).slice(from, to + 1)
  const words = line.map(({ folded }) => folded).filter((word) => word !== "")
  let [whole, at] = [name, row]
  for (let more = 0; more < mostMore; more++) {
    const below = lineBelow(rows, at, line)
    if (below === undefined) break
    words.push(...below.tokens.map(({ folded }) => folded).filter((word) => word !== ""))
    whole = printedIn(context, name, words) ?? whole
    at = below.row
    line = below.tokens
  }
  return whole
}

/** A name as it is printed in one line, if its words are, and not as the other party's. */
const printedIn = (
  context: PartyContext,
  name: Ranked<string>,
  words: ReadonlyArray<string>
): Ranked<string> | undefined => {
  for (const [page, { rows }] of context.reading.pages.entries())
    for (const [row, tokens] of rows.entries()) {
      const [from] = placesIn(tokens, words)
      if (from === undefined) continue
      const own = tokens.slice(from, from + words.length)
      const text = textOfWords(own)
      const value = text.replace(/[,;:]$/u, "")
      if (!/^[\p{Lu}\p{N}]/u.test(value)) continue
      const span = { page, row, from, to: from + words.length - 1 }
      const candidate = { ...name, span, bbox: around(own), text, value }
      if (!isOtherParty(partyFeatures(context, candidate, value))) return candidate
    }
  return undefined
}
