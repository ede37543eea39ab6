import { parseDate } from "../values/Dates.ts"
import { showsCents } from "../values/Money.ts"
import type { KindWithWords } from "../lexicon/DocumentKinds.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import type { LikelyLanguage } from "../lexicon/LanguagesIn.ts"
import type { PageModel, Token } from "../layout/PageModel.ts"
import type { KindMatch } from "./KindMatches.ts"
import { signsOfRoll } from "./RollPaper.ts"

/** By how much a title is clearly more of one than another. */
const clearTitle = 0.3
/** How much the word `Proforma` is a title, compared with that of the invoice, from which on the document is one. */
const titleOfProforma = 0.55
/** How many words of a utility bill no other invoice has. */
const wordsOfUtility = 3.5
/** What a title that says invoice counts for a utility bill. */
const titleOfUtility = 0.7

/**
 * Weighs kinds against the signs of an invoice, which they have too: a reminder lists number and dates of one, a utility
 * bill has all that an invoice has, and a credit note as well.
 */
const withoutInvoice = (features: Map<KindWithWords, { title: number; words: number }>): void => {
  const invoice = features.get("invoice")
  if (invoice === undefined) return
  // `FACTURA` above `PROFORMA`: the title of an invoice belongs to that of a proforma, which no invoice has.
  const proforma = features.get("proforma")
  if (proforma !== undefined && proforma.title >= titleOfProforma * invoice.title)
    [proforma.title, invoice.title] = [Math.max(proforma.title, invoice.title), proforma.title / 2]
  // The title makes the difference.
  for (const kind of ["credit-note", "proforma"] as const) {
    const own = features.get(kind)
    if (own === undefined || own.title < invoice.title + 0.1) continue
    own.words += invoice.words
    invoice.words /= 2
  }
  const reminder = features.get("reminder")
  if (reminder !== undefined && reminder.title >= invoice.title + clearTitle) {
    invoice.words /= 2
    // The columns of the invoices that it lists are a reminder's as well.
    reminder.words += invoice.words
  }
  // Meters, units and tariffs make the difference; the title of many of these bills is that of an invoice.
  const utility = features.get("utility-bill")
  if (utility === undefined || utility.words < wordsOfUtility) return
  utility.title = Math.max(utility.title, titleOfUtility * invoice.title)
  invoice.words /= 2
}

/** The features of one kind of document. */
export interface KindFeatures {
  /** How much the best title of the kind looks like the title of the document, 0–1. */
  readonly title: number
  /** The weights of the different phrases of the kind, together. */
  readonly words: number
}

/** The layout of a document, independent of its words. */
export interface PageShape {
  /** The share of rows with running text. */
  readonly prose: number
  /** How many rows hold an amount with decimals. */
  readonly amounts: number
  /** How many rows begin with a date and end with an amount. */
  readonly entries: number
  /** How many signs of a till a page has that is as narrow as a receipt roll; nothing where it is wider. */
  readonly signsOfRoll: number | undefined
}

const titleHeight = 0.45
/** The heights of large titles, in lines. */
const largeTitle = 1.6
const tallTitle = 1.25
const laterTitle = 0.7
const standing = { line: 1, phrase: 0.85, numbered: 0.8, label: 0.3, heading: 0.3, inside: 0.15 } as const
/** How much a line in large print is a title that begins with one: `Quote for a web shop`. */
const beginning = 0.5

const heightOf = (tokens: ReadonlyArray<Token>): number => Math.max(0, ...tokens.map(({ h }) => h))

/** The weight of a language's words in a document; 1 for `und`. */
const agreement = (languages: ReadonlyArray<LikelyLanguage>, tag: string): number => {
  if (tag === "und" || languages.length === 0) return 1
  const share = languages.find((language) => language.tag === tag)?.share ?? 0
  return share >= 0.6 ? 1 : share >= 0.35 ? 0.6 : 0.15
}

/** How much a phrase looks like the title of its document: large, high up, and alone. */
const titleStrength = (pages: ReadonlyArray<PageModel>, match: KindMatch): number => {
  const page = pages[match.page]
  if (page === undefined || match.page > 0) return 0
  const tokens = (page.rows[match.row] ?? []).slice(match.from, match.to + 1)
  const size = heightOf(tokens) / Math.max(1, page.lineHeight)
  const high = (tokens[0]?.y ?? 0) / page.height
  const large = size >= largeTitle ? 1 : size >= tallTitle ? 0.8 : 0.5
  const place = high < 0.25 ? 1 : high < titleHeight ? 0.8 : 0.25
  const capitals = tokens.every(({ text }) => text === text.toUpperCase() && /\p{Lu}/u.test(text)) ? 1.15 : 1
  const first = match.row <= 2 ? 1.1 : 1
  const begins = match.alone === "inside" && match.from === 0 && size >= tallTitle
  const stands = begins ? beginning : standing[match.alone]
  return Math.min(1, large * place * stands * capitals * first)
}

/** Kinds whose words are sentences by nature; those of the others are labels, which a sentence only mentions. */
const ofSentences: ReadonlySet<KindWithWords> = new Set([
  "contract",
  "order-confirmation",
  "purchase-order",
  "quote",
  "reminder"
])

/** What a label counts that running text mentions: `Please pay our invoices to the new account`. */
const mentioned = 0.35

const isWord = ({ text }: Token): boolean => /^\p{L}[\p{L}'’.,;:-]*$/u.test(text)
const wordsOfProse = 8

/** Whether the words of a match are part of a sentence, which has as many words in one piece as no label has. */
const isMentioned = (pages: ReadonlyArray<PageModel>, { from, page, phrase, row }: KindMatch): boolean => {
  if (ofSentences.has(phrase.kind)) return false
  const tokens = pages[page]?.rows[row] ?? []
  const own = tokens[from]?.phrase
  return tokens.filter((token) => token.phrase === own && isWord(token)).length >= wordsOfProse
}

/** The features of each kind with any sign. */
export const kindFeatures = (
  pages: ReadonlyArray<PageModel>,
  matches: ReadonlyArray<KindMatch>,
  languages: ReadonlyArray<LikelyLanguage>
): ReadonlyMap<KindWithWords, KindFeatures> => {
  const seen = new Map<string, number>()
  const features = new Map<KindWithWords, { title: number; words: number }>()
  let highest = 0
  for (const match of matches) {
    const { isTitle, kind, tag, text, weight } = match.phrase
    const agrees = agreement(languages, tag)
    const own = features.get(kind) ?? { title: 0, words: 0 }
    features.set(kind, own)
    if (isTitle) {
      const strength = agrees * titleStrength(pages, match)
      // A phrase after an equally good title is more likely the name of another document.
      own.title = Math.max(own.title, strength <= highest ? laterTitle * strength : strength)
      highest = Math.max(highest, strength)
    }
    if (isTitle) continue
    const key = `${kind} ${text.toLowerCase()}`
    const place = (match.page === 0 ? 1 : 0.5) * (isMentioned(pages, match) ? mentioned : 1)
    // The best place of a phrase counts: a label may come after a sentence that mentions it.
    own.words += agrees * weight * Math.max(0, place - (seen.get(key) ?? 0))
    seen.set(key, Math.max(place, seen.get(key) ?? 0))
  }
  withoutInvoice(features)
  return features
}

const startsWithDate = (row: ReadonlyArray<Token>): boolean => {
  const text = row
    .slice(0, 4)
    .map((token) => token.text)
    .join(" ")
  return parseDate(text) !== undefined || /^\d{1,2}[./-]\d{1,2}(?:[.\s]|$)/u.test(text)
}

/** What the pages of a document look like. */
export const shapeOf = (pages: ReadonlyArray<PageModel>, lexicon: Lexicon): PageShape => {
  const rows = pages.flatMap((page) => page.rows)
  const prose = rows.filter((row) => row.filter(isWord).length >= wordsOfProse).length
  const withAmounts = rows.filter((row) => row.some(({ text }) => showsCents(text)))
  return {
    prose: prose / Math.max(1, rows.length),
    amounts: withAmounts.length,
    entries: withAmounts.filter(startsWithDate).length,
    signsOfRoll: signsOfRoll(pages[0], lexicon)
  }
}
