import { type DocumentKind, documentKinds } from "../lexicon/DocumentKinds.ts"
import { languagesIn, type TextLanguages } from "../lexicon/LanguagesIn.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import type { PageModel } from "../layout/PageModel.ts"
import { kindFeatures, type KindFeatures, type PageShape, shapeOf } from "./KindFeatures.ts"
import { type KindMatch, kindMatches } from "./KindMatches.ts"
import { type KindPhrases, kindPhrases } from "./KindPhrases.ts"
import { languagesOf } from "../layout/PageLanguages.ts"
import type { Reading } from "../layout/Reading.ts"

const found = new WeakMap<Reading, KindVerdict>()

/** The kind of a document that rules read, if it has been found. */
export const knownKindOf = (reading: Reading): KindVerdict | undefined => found.get(reading)

/** The kind of a document that rules read, found once. */
export const kindOfReading = (reading: Reading): KindVerdict => {
  const known = found.get(reading)
  if (known !== undefined) return known
  const verdict = documentKindOf(reading.pages, reading.lexicon, (text) => languagesOf(reading, text))
  found.set(reading, verdict)
  return verdict
}

/** Words of a document that indicate its kind, and their position. */
export interface KindEvidence extends Omit<KindMatch, "alone" | "phrase"> {
  readonly text: string
  readonly isTitle: boolean
}

/** The kind of a document. */
export interface KindVerdict {
  /** `other` if no known kind fits, or two fit equally well. */
  readonly kind: DocumentKind | "other"
  /** How sure that is, 0–1. */
  readonly probability: number
  /** The probability of every kind, the most probable first; together with that of `other` they make 1. */
  readonly probabilities: ReadonlyArray<readonly [DocumentKind | "other", number]>
  /** Whether it also calls itself an invoice, as a till receipt may: `TAX INVOICE`, `Factura simplificada`. */
  readonly saysInvoice: boolean
  /** The words that show it, titles first. */
  readonly evidence: ReadonlyArray<KindEvidence>
  readonly languages: TextLanguages
}

const none: KindFeatures = { title: 0, words: 0 }

/** The kinds whose documents list what has to be paid. */
const withAmounts: ReadonlySet<DocumentKind> = new Set([
  "invoice",
  "proforma",
  "credit-note",
  "receipt",
  "statement",
  "payslip",
  "utility-bill"
])

/** The kinds that have the fields of an invoice: a document that is one of them is not `other`, whichever it is. */
const bills: ReadonlySet<string> = new Set(["invoice", "credit-note", "utility-bill"])

/** How well the layout of a page fits a kind. */
const fitOf = (kind: DocumentKind, shape: PageShape): number => {
  const { amounts, entries, prose, signsOfRoll } = shape
  const isNarrow = signsOfRoll !== undefined
  let fit = 0
  if (amounts === 0) fit += withAmounts.has(kind) ? -1.2 : kind === "delivery-note" ? 0.6 : 0
  if (kind === "delivery-note" && amounts > 3) fit -= 0.6
  if (kind === "contract") fit += 3 * prose - (amounts > 6 ? 1 : 0) - (prose < 0.1 ? 1.5 : 0)
  if (kind === "receipt") fit += (isNarrow ? 2.2 : -0.4) - 2 * prose
  if (kind === "statement") fit += entries >= 4 ? 1.2 : entries >= 2 ? 0.5 : -0.3
  if (kind === "payslip" && isNarrow) fit -= 1
  return fit
}

/** Titles say most; of many words each says less than the one before. */
const scoreOf = (kind: DocumentKind, { title, words }: KindFeatures, shape: PageShape): number =>
  title === 0 && words === 0 ? -2 : 4.5 * title + 2.2 * Math.log1p(words) + fitOf(kind, shape)

/** What a title that says invoice counts for a receipt, on paper as narrow as a roll: `TAX INVOICE` heads both. */
const titleOfRoll = 0.5

/** What a sign of a till counts as words of a receipt. */
const wordsOfSign = 0.5

/** The features of the kinds, where a receipt printed on a roll is called an invoice, as the law of some countries wants it. */
const onRoll = (
  features: ReadonlyMap<string, KindFeatures>,
  { signsOfRoll }: PageShape
): ReadonlyMap<string, KindFeatures> => {
  if (signsOfRoll === undefined) return features
  const { invoice = none, receipt = none } = Object.fromEntries(features)
  const title = Math.max(receipt.title, titleOfRoll * invoice.title)
  return new Map([
    ...features,
    ["receipt", { title, words: receipt.words + invoice.words + wordsOfSign * signsOfRoll }],
    ["invoice", { title: titleOfRoll * invoice.title, words: invoice.words }]
  ])
}

/** The score of `other`, which a kind must exceed. */
const otherScore = 2.1

/** The number of pages that are examined. */
export const pagesRead = 3
const leastProbability = 0.5
/** A kind that is less probable than one half is decided where every other is far less probable. */
const leastLeading = 0.42
const lead = 1.5
const mostEvidence = 8
const mostLetters = 1000

const shown = (
  pages: ReadonlyArray<PageModel>,
  { from, page, phrase, row, to }: KindMatch
): KindEvidence => ({
  page,
  row,
  from,
  to,
  isTitle: phrase.isTitle,
  text: (pages[page]?.rows[row] ?? [])
    .slice(from, to + 1)
    .map(({ text }) => text)
    .join(" ")
})

/** How much a match tells a person: titles most, then long words; `Nr.` alone tells little. */
const tellingOf = (pages: ReadonlyArray<PageModel>, { from, page, phrase, row, to }: KindMatch): number =>
  phrase.isTitle
    ? mostLetters
    : (pages[page]?.rows[row] ?? [])
        .slice(from, to + 1)
        .reduce((letters, { folded }) => letters + folded.length, 0)

/** Whether a title is one of an invoice, or contains one: `Factura simplificada`. */
const saysInvoice = (pages: ReadonlyArray<PageModel>, phrases: KindPhrases, match: KindMatch): boolean => {
  const { from, page, phrase, row, to } = match
  if (!phrase.isTitle) return false
  const words = (pages[page]?.rows[row] ?? []).slice(from, to + 1)
  return (
    phrase.kind === "invoice" ||
    words.some(({ folded }) =>
      phrases.byText.get(folded)?.some(({ isTitle, kind }) => isTitle && kind === "invoice")
    )
  )
}

const textOf = (pages: ReadonlyArray<PageModel>): string =>
  pages.map(({ rows }) => rows.map((row) => row.map(({ text }) => text).join(" ")).join("\n")).join("\n")

/**
 * The kind of a document, by the titles at the top of the first page, the words on the first three, and their layout.
 * The scores of the kinds become probabilities by softmax; `other` has a fixed score, so that a document without any
 * sign of a known kind is `other`, and more where a title of none of the kinds heads it; if neither a kind nor those of bills
 * together reach one half, nothing is decided. `languagesOf` finds the languages of its text, if that was done before.
 */
export const documentKindOf = (
  all: ReadonlyArray<PageModel>,
  lexicon: Lexicon,
  languagesOf: (text: string) => TextLanguages = (text) => languagesIn(lexicon, text)
): KindVerdict => {
  const pages = all.slice(0, pagesRead)
  const languages = languagesOf(textOf(pages))
  const phrases = kindPhrases(lexicon)
  const matches = pages.flatMap((page, index) => kindMatches(phrases, page, index))
  const shape = shapeOf(pages, lexicon)
  const features = onRoll(kindFeatures(pages, matches, languages.languages), shape)
  const scores: ReadonlyArray<readonly [DocumentKind | "other", number]> = [
    ...documentKinds.map((kind) => [kind, scoreOf(kind, features.get(kind) ?? none, shape)] as const),
    ["other", otherScore + 4.5 * (features.get("other") ?? none).title]
  ]
  const total = scores.reduce((sum, [, score]) => sum + Math.exp(score), 0)
  const probabilities = scores
    .map(([kind, score]) => [kind, Math.exp(score) / total] as const)
    .toSorted(([, left], [, right]) => right - left)
  const [best = "other", most = 0] = probabilities[0] ?? []
  const [, second = 0] = probabilities[1] ?? []
  const isLeading = most >= leastLeading && most >= lead * second
  const bill = probabilities.find(([kind]) => bills.has(kind))?.[0] ?? "other"
  const ofBills = probabilities.reduce((sum, [kind, share]) => sum + (bills.has(kind) ? share : 0), 0)
  const isDecided = most >= leastProbability || isLeading
  const kind = isDecided ? best : ofBills >= leastProbability ? bill : "other"
  const evidence = matches
    .filter(({ phrase }) => phrase.kind === kind)
    .toSorted((left, right) => tellingOf(pages, right) - tellingOf(pages, left))
    .slice(0, mostEvidence)
    .map((match) => shown(pages, match))
  return {
    kind,
    probability: kind === best ? most : 1 - most,
    probabilities,
    saysInvoice: matches.some((match) => saysInvoice(pages, phrases, match)),
    evidence,
    languages
  }
}
