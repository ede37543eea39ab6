import type { Candidate } from "../layout/Candidate.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { around, type Token } from "../layout/PageModel.ts"
import { placesIn, shortest } from "./CompletedName.ts"
import { type PartyContext, partyFeatures } from "./PartyFeatures.ts"

/** The most words between the beginning of a company's name and the one it trades under. */
const mostWords = 12

/** What ends before a name begins: a label, a sign between parts, a sentence. */
const isEnd = ({ text }: Token): boolean => /[:;]$|^[•·|●▪–—-]$|^\p{Ll}.*\.$/u.test(text)

/** Where the phrase or sentence begins in which a token is. */
const beginningOf = (row: ReadonlyArray<Token>, at: number): number => {
  let from = at
  for (let before = row[from - 1]; before !== undefined; before = row[from - 1]) {
    if (before.phrase !== row[from]?.phrase || isEnd(before)) break
    from--
  }
  return from
}

/** The tokens of the company that trades under the name at a place: those in front of `trading as`, up to a legal form. */
const companyBefore = (
  { words }: PartyContext,
  row: ReadonlyArray<Token>,
  at: number
): ReadonlyArray<Token> => {
  const from = beginningOf(row, at)
  const front = row.slice(from, at)
  const company = words.beforeTradingAs(textOfWords(front))
  if (company === undefined || front.length > mostWords) return []
  const tokens = front.slice(0, company.split(/\s+/u).length)
  // `Goods remain property of Firm Ltd trading as …` does not show where the name begins.
  const isName = tokens.every(({ text }) => /^[\p{Lu}\p{N}&(]/u.test(text) || words.goesOn(text))
  return isName && tokens.length > 1 && words.endsInForm(company) ? tokens : []
}

/** The tokens of the company that a name belongs to: those behind `is a trading name of`, up to a legal form. */
const companyBehind = (
  { words }: PartyContext,
  row: ReadonlyArray<Token>,
  at: number
): ReadonlyArray<Token> => {
  const behind = row.slice(at, at + 2 * mostWords)
  const name = words.afterTradingNameOf(textOfWords(behind))
  if (name === undefined) return []
  const tokens = behind.slice(-name.split(/\s+/u).length)
  const end = tokens.findIndex((_, to) => to > 0 && words.endsInForm(textOfWords(tokens.slice(0, to + 1))))
  return end < 0 ? [] : tokens.slice(0, end + 1)
}

/** The line below a name, from the word that begins at the same edge. */
const lineBelow = (
  rows: ReadonlyArray<ReadonlyArray<Token>>,
  at: number,
  first: Token | undefined
): { readonly row: number; readonly tokens: ReadonlyArray<Token> } | undefined => {
  if (first === undefined) return undefined
  for (const row of [at + 1, at + 2]) {
    const tokens = rows[row] ?? []
    const from = tokens.findIndex(({ x }) => Math.abs(x - first.x) < 0.5 * first.h)
    const token = tokens[from]
    if (token === undefined || token.y - (first.y + first.h) > first.h) continue
    return { row, tokens: tokens.slice(from).filter(({ phrase }) => phrase === token.phrase) }
  }
  return undefined
}

/** The tokens of the company that a place says a name belongs to, and their row: in front of it, behind it or in the line below. */
const companyAt = (
  context: PartyContext,
  rows: ReadonlyArray<ReadonlyArray<Token>>,
  at: number,
  [place, end]: readonly [number, number]
): { readonly row: number; readonly tokens: ReadonlyArray<Token> } => {
  const row = rows[at] ?? []
  const before = companyBefore(context, row, place)
  if (before.length > 0) return { row: at, tokens: before }
  const behind = companyBehind(context, row, end)
  const below = behind.length > 0 ? undefined : lineBelow(rows, at, row[place])
  if (below === undefined) return { row: at, tokens: behind }
  const inLine = companyBehind(context, below.tokens, 0)
  if (inLine.length > 0) return { row: below.row, tokens: inLine }
  // `Metrica is a trading name of` above `Severn Metrology Services plc`.
  const rest = row.slice(end).filter(({ phrase }) => phrase === row[place]?.phrase)
  const over = companyBehind(context, [...rest, ...below.tokens], 0)
  return { row: below.row, tokens: over.every((token) => below.tokens.includes(token)) ? over : [] }
}

/** Where a row has a name, and the end of each place; the letters of a logo may be apart: `met r ica`. */
const placesOf = (
  row: ReadonlyArray<Token>,
  parts: ReadonlyArray<string>
): ReadonlyArray<readonly [from: number, end: number]> =>
  [parts, ...(parts.length > 1 ? [[parts.join("")]] : [])].flatMap((words) =>
    placesIn(row, words).map((from) => [from, from + words.length] as const)
  )

/** `Molloy Hanratty & Co.` may be the name under which a company trades. */
const partnership = /\s(?:&|and) co\.?$/iu

/**
 * The company that trades under a name, where the document says so: a letterhead shows `Corran Party Hire`, the foot says
 * `Corran Rentals Ltd trading as Corran Party Hire`, or `Corran Party Hire is a trading name of Corran Rentals Ltd`. The company
 * issues the invoice. Only where all places agree.
 */
export const companyTradingAs = (context: PartyContext, name: Ranked<string>): Ranked<string> => {
  const { reading, words } = context
  const parts = name.value.split(/\s+/u).map(reading.lexicon.fold)
  const isFirm = words.endsInForm(name.value) && !partnership.test(name.value)
  if (isFirm || parts.join("").length < shortest) return name
  const found = reading.pages.flatMap(({ rows }, page) =>
    rows.flatMap((row, at) =>
      placesOf(row, parts).flatMap((places): ReadonlyArray<Candidate<string>> => {
        const { row: own, tokens } = companyAt(context, rows, at, places)
        const [first] = tokens
        if (first === undefined) return []
        const from = (rows[own] ?? []).indexOf(first)
        const printed = textOfWords(tokens)
        const bare = printed.replace(/(?<!\.\p{L}+)[.,;]$/u, "")
        // `inc.` has its point as `Inc.` has.
        const inCapitals = bare.replace(/(?<!\p{L})\p{Ll}(?=\p{L}*$)/u, (first) => first.toUpperCase())
        const isPointed = printed.endsWith(".") && context.words.endsInPointedForm(inCapitals)
        const text = isPointed ? printed : bare
        const span = { page, row: own, from, to: from + tokens.length - 1 }
        const candidate = { span, bbox: around(tokens), text, value: text, quality: 0.9 }
        return partyFeatures(context, candidate, text)["addressed"] === 1 ? [] : [candidate]
      })
    )
  )
  const [first] = found
  const isOne = found.every(({ value }) => value === first?.value)
  return first !== undefined && isOne ? { ...name, ...first } : name
}
