import { textOfWords } from "../../domain/LineText.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import type { LikelyLanguage } from "../lexicon/LanguagesIn.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { KindWithWords } from "../lexicon/DocumentKinds.ts"
import { parseDate } from "../values/Dates.ts"
import { showsCents } from "../values/Money.ts"
import { type KindMatch, standing } from "./KindMatches.ts"

/** The features of one kind of document. */
export interface KindFeatures {
  /** How much the best title of the kind looks like the title of the document, 0–1. */
  readonly title: number
  /** The weights of the different phrases of the kind, together. */
  readonly words: number
}

type Features = Map<KindWithWords, { title: number; words: number }>

/** By how much a title is clearly more of one than another. */
const clearTitle = 0.1
/** How much the word `Proforma` is a title, compared with that of the invoice, from which on the document is one. */
const titleOfProforma = 0.55
/** How many words of a utility bill no other invoice has. */
const wordsOfUtility = 3.5
/** What a title that says invoice counts for a utility bill. */
const titleOfUtility = 0.7
/** What one counts for a receipt, on paper as narrow as a roll: `TAX INVOICE` heads both, as the law of some countries wants it. */
const titleOfRoll = 0.5
/** What such paper counts as words of a receipt. */
const wordsOfRoll = 0.5

/**
 * Weighs kinds against the signs of an invoice, which they have too: a reminder lists number and dates of one, a utility
 * bill has all that an invoice has, and a credit note as well.
 */
const withoutInvoice = (features: Features, onRoll: boolean): void => {
  const of = (kind: KindWithWords) => features.get(kind) ?? { title: 0, words: 0 }
  const invoice = of("invoice")
  // `FACTURA` above `PROFORMA`: the title of an invoice belongs to that of a proforma, which no invoice has.
  const proforma = of("proforma")
  if (proforma.title > 0 && proforma.title >= titleOfProforma * invoice.title)
    [proforma.title, invoice.title] = [Math.max(proforma.title, invoice.title), proforma.title / 2]
  // The title makes the difference; the columns of the invoices that it lists are a reminder's as well.
  for (const kind of ["credit-note", "proforma", "reminder"] as const) {
    if (of(kind).title < invoice.title + clearTitle) continue
    of(kind).words += invoice.words
    invoice.words /= 2
  }
  // Meters, units and tariffs make the difference; the title of many of these bills is that of an invoice.
  const utility = of("utility-bill")
  if (utility.words >= wordsOfUtility) {
    utility.title = Math.max(utility.title, titleOfUtility * invoice.title)
    invoice.words /= 2
  }
  if (!onRoll) return
  const receipt = of("receipt")
  invoice.title *= titleOfRoll
  const title = Math.max(receipt.title, invoice.title)
  features.set("receipt", { title, words: receipt.words + invoice.words + wordsOfRoll })
}

/** The heights of large titles, in lines. */
const largeTitle = 1.6
const tallTitle = 1.25
const laterTitle = 0.7
/** How much a line in large print is a title that begins with one: `Quote for a web shop`. */
const beginning = 0.5

/** How much a phrase looks like the title of its document: large, high up, and alone. */
const titleStrength = (pages: ReadonlyArray<PageModel>, match: KindMatch): number => {
  const page = pages[match.page]
  if (page === undefined || match.page > 0) return 0
  const tokens = (page.rows[match.row] ?? []).slice(match.from, match.to + 1)
  const size = Math.max(0, ...tokens.map(({ h }) => h)) / Math.max(1, page.lineHeight)
  const high = (tokens[0]?.y ?? 0) / page.height
  const large = size >= largeTitle ? 1 : size >= tallTitle ? 0.8 : 0.5
  const place = high < 0.25 ? 1 : high < 0.45 ? 0.8 : 0.25
  const capitals = tokens.every(({ text }) => text === text.toUpperCase() && /\p{Lu}/u.test(text)) ? 1.15 : 1
  const first = match.row <= 2 ? 1.1 : 1
  const begins = match.standing === standing.inside && match.from === 0 && size >= tallTitle
  return Math.min(1, large * place * (begins ? beginning : match.standing) * capitals * first)
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
/** As many words in one piece as no label has. */
const wordsOfProse = 8

const wordsIn = (tokens: ReadonlyArray<Token>): number =>
  tokens.filter(({ text }) => /^\p{L}[\p{L}'’.,;:-]*$/u.test(text)).length

/** How much the place of a phrase counts. */
const placeOf = (pages: ReadonlyArray<PageModel>, { from, page, phrase, row }: KindMatch): number => {
  const tokens = pages[page]?.rows[row] ?? []
  const own = tokens.filter((token) => token.phrase === tokens[from]?.phrase)
  const inSentence = !ofSentences.has(phrase.kind) && wordsIn(own) >= wordsOfProse
  return inSentence ? mentioned : 1
}

/** What a word of another language than a document's counts. */
const foreign = 0.3

/** The weight of a language's words in a document; `und` is every language. */
const agreement = (languages: ReadonlyArray<LikelyLanguage>, tag: string): number =>
  tag === "und" || languages.length === 0 || languages.some((one) => one.tag === tag && one.share >= 0.35)
    ? 1
    : foreign

/** The features of each kind with any sign, on paper as narrow as a roll or not. */
export const kindFeatures = (
  pages: ReadonlyArray<PageModel>,
  matches: ReadonlyArray<KindMatch>,
  languages: ReadonlyArray<LikelyLanguage>,
  onRoll: boolean
): ReadonlyMap<KindWithWords, KindFeatures> => {
  const seen = new Map<string, number>()
  const features: Features = new Map()
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
    } else {
      // The best place of a phrase counts: a label may come after a sentence that mentions it.
      const key = `${kind} ${text.toLowerCase()}`
      const [place, before] = [placeOf(pages, match), seen.get(key) ?? 0]
      own.words += agrees * weight * Math.max(0, place - before)
      seen.set(key, Math.max(place, before))
    }
  }
  withoutInvoice(features, onRoll)
  return features
}

/** Printers of tills print 32, 42 or 48 letters a line; letters of a page of usual paper are 65 or more. */
const mostOnRoll = 50
/** With the smallest letters, on a page that is so much narrower than high that it was cut from a roll. */
const mostOfSmall = 64
const widestOfHeight = 0.62
/** The width of paper that is no letter paper, in points: 11 cm. A6, the smallest paper of letters, is 10.5 cm wide. */
const widestRoll = 290
const timeOfDay = /(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])/u
const amountAtEnd = /\d[.,]\d{2}\D{0,4}$/u

const tenders = ofLexicon(
  (lexicon) =>
    new Set(
      (["card", "cash", "change"] as const).flatMap((list) => lexicon.words(list)).map(lexicon.foldLabel)
    )
)

/** Whether a page is printed on a roll, or in one column as narrow as one with the time of day or what was handed over. */
const isOnRoll = ({ height, rows, width }: PageModel, lexicon: Lexicon): boolean => {
  const tokens = rows.flat()
  const widths = tokens.flatMap(({ text, w }) => (text.length > 1 ? [w / text.length] : []))
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0
  const letters = around(tokens).w / usual
  if (width < widestOfHeight * height && letters <= mostOfSmall) return true
  if (letters > mostOnRoll || width <= widestRoll) return letters <= mostOnRoll
  return rows.some((row) => {
    const text = textOfWords(row)
    const handedOver = row.slice(0, 3).some(({ folded }) => tenders(lexicon).has(folded))
    return timeOfDay.test(text) || (handedOver && amountAtEnd.test(text))
  })
}

/** The layout of a document, independent of its words. */
export interface PageShape {
  /** How many rows hold an amount with decimals. */
  readonly amounts: number
  /** How many rows begin with a date and end with an amount. */
  readonly entries: number
  /** Whether it is printed as tills print. */
  readonly onRoll: boolean
}

const startsWithDate = (row: ReadonlyArray<Token>): boolean => {
  const text = textOfWords(row.slice(0, 4))
  return parseDate(text) !== undefined || /^\d{1,2}[./-]\d{1,2}(?:[.\s]|$)/u.test(text)
}

/** What the pages of a document look like. */
export const shapeOf = (pages: ReadonlyArray<PageModel>, lexicon: Lexicon): PageShape => {
  const withAmounts = pages.flatMap(({ rows }) =>
    rows.filter((row) => row.some(({ text }) => showsCents(text)))
  )
  const [first] = pages
  return {
    amounts: withAmounts.length,
    entries: withAmounts.filter(startsWithDate).length,
    onRoll: first !== undefined && isOnRoll(first, lexicon)
  }
}
