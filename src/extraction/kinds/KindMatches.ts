import type { PageModel, Token } from "../layout/PageModel.ts"
import {
  type KindPhrase,
  type KindPhrases,
  longestBeginning,
  mayBeginPhrase,
  noSpaces
} from "./KindPhrases.ts"

/** A phrase found on a page. */
export interface KindMatch {
  readonly phrase: KindPhrase
  readonly page: number
  readonly row: number
  /** The first and the last token of the row that it takes. */
  readonly from: number
  readonly to: number
  /** Its context: nothing, a number, a colon, other headings of columns, or more words. */
  readonly alone: "line" | "phrase" | "numbered" | "label" | "heading" | "inside"
}

const mostWords = 7

/** Whether a number follows, or what comes before one: its series, as in `FT 2025A/118`, a word for number, or one for a date. */
const isNumberNext = ({ dated }: KindPhrases, [next, after]: ReadonlyArray<Token>): boolean => {
  const { folded = "", text = "" } = next ?? {}
  if (/\d/u.test(text) || folded === "" || folded === "no" || dated.has(folded)) return true
  return /^\p{Lu}{1,5}$/u.test(text) && /\d/u.test(after?.text ?? "")
}

/** Four phrases or more without a figure, as the headings of columns are. */
const isHeading = (row: ReadonlyArray<Token>): boolean =>
  (row.at(-1)?.phrase ?? 0) >= 3 && !row.some(({ text }) => /\d/u.test(text))

const ordinal = /(?:^|\s)\d{1,2}\s?(?:st|nd|rd|th|er|re|ère|e|ème|º|°|ª)$/iu

/** `2. Mahnung`, `1 er rappel`, `3rd reminder`: the count of a title is no other word. */
const isCount = (before: ReadonlyArray<Token>): boolean => {
  const [left = "", right = ""] = before.slice(-2).map(({ text }) => text)
  const last = before.length > 1 ? right : left
  return /^(?:\d{1,2}\.)?\W*$/u.test(last) || ordinal.test(`${left} ${right}`.trim())
}

/** Whether a row begins with the word for the subject of a letter. */
const isSubjectOf = ({ subjects }: KindPhrases, row: ReadonlyArray<Token>): boolean =>
  subjects.has(row[0]?.folded ?? "")

/** How a run of tokens is in its row. */
const aloneness = (
  phrases: KindPhrases,
  row: ReadonlyArray<Token>,
  from: number,
  to: number
): KindMatch["alone"] => {
  const phrase = row[from]?.phrase
  const before = row[from - 1]
  // The subject of a letter is its title, whatever else it says.
  if (from > 0 && isSubjectOf(phrases, row)) return "phrase"
  const glued = before !== undefined && before.phrase === phrase && !isCount(row.slice(0, from))
  if (glued) return "inside"
  const rest = row.slice(to + 1)
  const ends = row[to]?.text.endsWith(":") === true || rest[0]?.text === ":"
  if (ends) return rest.length > 0 ? "label" : "phrase"
  if (rest.length === 0) return from === 0 ? "line" : "phrase"
  const [next] = rest
  if (next?.phrase !== phrase) return isHeading(row) ? "heading" : "phrase"
  return isNumberNext(phrases, rest) ? "numbered" : "inside"
}

/** Whether what was read up to a token is a phrase and a word for its number: `Invoice No`, `Dodací list č.` before a number. */
const hasNumber = (
  { byText }: KindPhrases,
  row: ReadonlyArray<Token>,
  to: number,
  folded: string
): boolean => {
  if (folded.endsWith("no") && byText.has(folded.slice(0, -2))) return true
  const [last, next] = row.slice(to, to + 2)
  const isAbbreviation = /^\p{L}{1,3}\.$/u.test(last?.text ?? "") && /\d/u.test(next?.text ?? "")
  return isAbbreviation && byText.has(folded.slice(0, -(last?.folded ?? "").length))
}

/**
 * The matches of a line with its first title as the one that heads it, where words and a title of another kind come after it:
 * `Zahlungserinnerung zu Rechnung Nr. 12` is about an invoice.
 */
const withLeading = (
  row: ReadonlyArray<Token>,
  found: ReadonlyArray<KindMatch>
): ReadonlyArray<KindMatch> => {
  const titles = found.filter(({ phrase }) => phrase.isTitle)
  const [first] = titles
  if (first === undefined || !isCount(row.slice(0, first.from))) return found
  const leads = titles.some(
    ({ from, phrase }) =>
      phrase.kind !== first.phrase.kind && from > first.to + 1 && row[from]?.phrase === row[first.to]?.phrase
  )
  return leads
    ? found.map((match) =>
        match.from === first.from && match.phrase.isTitle ? { ...match, alone: "numbered" } : match
      )
    : found
}

/** The longest phrases of a row; one inside a longer one, or inside the label of a field, does not count. */
const inRow = (phrases: KindPhrases, row: ReadonlyArray<Token>, page: number, index: number) => {
  const found: Array<KindMatch> = []
  for (let from = 0; from < row.length;) {
    let next = from + 1
    let folded = ""
    let longest: ReadonlyArray<KindPhrase> = []
    // `Betreft: factuur 12`: the subject of a letter is no label, though credit notes have one of the same words.
    const isSubject = from === 0 && isSubjectOf(phrases, row)
    for (let to = from; to < Math.min(row.length, from + mostWords); to++) {
      const before = folded.length
      folded += row[to]?.folded ?? ""
      if (before < longestBeginning && !mayBeginPhrase(phrases, folded)) break
      // `Rappel – facture n° 12`: a dash belongs to no phrase.
      if (to > from && row[to]?.folded === "") continue
      const here = folded === "" ? undefined : phrases.byText.get(folded)
      const isLabel = to > from && !isSubject && phrases.labels.has(folded)
      if (here === undefined && !isLabel) continue
      // The number of a title belongs to it (`Invoice No`): the title is kept.
      const titles = hasNumber(phrases, row, to, folded) ? longest.filter(({ isTitle }) => isTitle) : []
      longest = [...titles, ...(here ?? [])]
      next = to + 1
    }
    if (longest.length > 0) {
      const to = next - 1
      // `Betreft: betalingsherinnering factuur 20240817`: the first title of a subject says what the letter is.
      const isBehindTitle = isSubjectOf(phrases, row) && found.some(({ phrase }) => phrase.isTitle)
      const alone = isBehindTitle ? "inside" : aloneness(phrases, row, from, to)
      for (const phrase of longest) found.push({ phrase, page, row: index, from, to, alone })
    }
    from = next
  }
  return withLeading(row, found)
}

/** Phrases of scripts without spaces, wherever they are in a row's letters; each letter belongs to one. */
const unspacedInRow = (phrases: KindPhrases, row: ReadonlyArray<Token>, page: number, index: number) => {
  let text = row.map(({ folded }) => folded).join(" ")
  if (!noSpaces.test(text)) return []
  const length = text.replaceAll(" ", "").length
  const found: Array<KindMatch> = []
  for (const [folded, all] of phrases.unspaced) {
    if (!text.includes(folded)) continue
    text = text.replaceAll(folded, "\u0000".repeat(folded.length))
    const isLine = folded.length >= 0.6 * length
    const at = row.findIndex((token) => token.folded.includes(folded))
    const from = Math.max(0, at)
    for (const phrase of all)
      found.push({
        phrase,
        page,
        row: index,
        from,
        to: from,
        alone: isLine ? "line" : "inside"
      })
  }
  return found
}

/** Every phrase of a page that indicates a kind of document. */
export const kindMatches = (phrases: KindPhrases, model: PageModel, page: number): ReadonlyArray<KindMatch> =>
  model.rows.flatMap((row, index) => {
    const spaced = inRow(phrases, row, page, index)
    const unspaced = unspacedInRow(phrases, row, page, index)
    const known = new Set(spaced.map(({ from, phrase }) => `${phrase.text} ${from}`))
    return [...spaced, ...unspaced.filter(({ from, phrase }) => !known.has(`${phrase.text} ${from}`))]
  })
