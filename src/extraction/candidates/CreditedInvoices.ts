import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

const titlesOf = (kind: "invoice" | "credit-note") =>
  ofLexicon((lexicon: Lexicon): ReadonlyArray<string> =>
    lexicon.languages.flatMap(({ kinds }) => (kinds[kind]?.titles ?? []).map(lexicon.foldLabel))
  )
const titlesOfInvoices = titlesOf("invoice")
const titlesOfCreditNotes = titlesOf("credit-note")

/** Where on the first page a title is, as a share of its height. */
const titleArea = 0.4

/** Whether a phrase at the top of the first page is the title of a credit note, and nothing else. */
const isCreditNote = ({ lexicon, pages }: Reading): boolean => {
  const [page] = pages
  const titles = new Set(titlesOfCreditNotes(lexicon))
  return (page?.rows ?? []).some((row) =>
    [...Map.groupBy(row, ({ phrase }) => phrase).values()].some(
      (phrase) =>
        (phrase[0]?.y ?? 0) < titleArea * (page?.height ?? 0) &&
        titles.has(lexicon.fold(phrase.map(({ text }) => text).join(" ")))
    )
  )
}

const known = new WeakMap<Reading, boolean>()

/** Whether the title of a credit note heads a document, found once for each. */
export const isKnownCreditNote = (reading: Reading): boolean => {
  const is = known.get(reading) ?? isCreditNote(reading)
  known.set(reading, is)
  return is
}

/** Whether a word is right before a token, in the same run of words: the `Krediterar` of `Krediterar faktura 88220`. */
export const isInsideRun = (row: ReadonlyArray<Token>, at: number): boolean => {
  const [before, token] = [row[at - 1], row[at]]
  return before !== undefined && before.phrase === token?.phrase && /\p{L}{2,}$/u.test(before.text)
}

/** The words of a label, and the one that leads to it in its line. */
const wordsOf = ({ pages }: Reading, { page, row, from, to }: LabelMatch["span"]): ReadonlyArray<string> => {
  const tokens = pages[page]?.rows[row] ?? []
  const first = isInsideRun(tokens, from) ? from - 1 : from
  return tokens.slice(first, to + 1).map(({ text }) => text)
}

const begins = (text: string, titles: ReadonlyArray<string>): boolean =>
  titles.some((title) => text.startsWith(title))

/**
 * Whether a label names the invoice that a credit note is about, as text does: a word leads to it, `notre facture FA25-002871` below the
 * title `Avoir`. `Credit Invoice` is the title of the document itself, `Numéro de facture` names its number.
 */
export const isOfCreditedInvoice = (reading: Reading, { span }: LabelMatch): boolean => {
  const { lexicon } = reading
  const words = wordsOf(reading, span)
  if (words.length < 2 || !isKnownCreditNote(reading)) return false
  const endings = words.map((_, from) => lexicon.fold(words.slice(from).join(" ")))
  const isOwn = endings.some((text) => begins(text, titlesOfCreditNotes(lexicon)))
  const isNumber = lexicon.fold(words[0] ?? "") === lexicon.fold("no.")
  return !isOwn && !isNumber && endings.slice(1).some((text) => begins(text, titlesOfInvoices(lexicon)))
}
