import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { type DocumentKind, documentKinds } from "../lexicon/DocumentKinds.ts"
import { languagesIn, type TextLanguages } from "../lexicon/LanguagesIn.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { languagesOf } from "../layout/PageLanguages.ts"
import { type PageModel, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { kindFeatures, type KindFeatures, type PageShape, shapeOf } from "./KindFeatures.ts"
import { type KindMatch, kindMatches, type KindPhrases, kindPhrases } from "./KindMatches.ts"

/** Words of a document that indicate its kind, and their position. */
export interface KindEvidence extends Omit<KindMatch, "standing" | "phrase"> {
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

const verdicts = new WeakMap<DocumentIR | Reading, KindVerdict>()

/** The kind of a document, or of what rules read of it, if it was asked for before. */
export const knownKind = (of: DocumentIR | Reading): KindVerdict | undefined => verdicts.get(of)

/** Keeps the kind of a document that was found out elsewhere. */
export const rememberKind = (of: DocumentIR | Reading, verdict: KindVerdict): KindVerdict => {
  verdicts.set(of, verdict)
  return verdict
}

/** The kind of a document that rules read, found once. */
export const kindOfReading = (reading: Reading): KindVerdict =>
  knownKind(reading) ??
  rememberKind(
    reading,
    documentKindOf(reading.pages, reading.lexicon, (text) => languagesOf(reading, text))
  )

const none: KindFeatures = { title: 0, words: 0 }

/** The kinds that have the fields of an invoice: a document that is one of them is not `other`, whichever it is. */
export const bills: ReadonlySet<string> = new Set(["invoice", "credit-note", "utility-bill"])

/** Whether a family of presets is made for a kind: a receipt may be called an invoice, and vice versa. */
export const fits = (kind: string): boolean => kind === "receipt" || bills.has(kind)

/** The probability of some kinds together. */
export const sumOf = (shares: KindVerdict["probabilities"]): number =>
  shares.reduce((sum, [, share]) => sum + share, 0)

/** How probable it is that a document is of a kind that the presets of invoices and receipts are made for. */
export const fitOfKind = ({ probabilities }: KindVerdict): number =>
  sumOf(probabilities.filter(([kind]) => fits(kind)))

/** Below this probability of all fitting kinds together, a document is rather of another kind. */
export const leastFit = 0.45

/** How well the layout of a page fits a kind. */
const fitOf = (kind: DocumentKind, { amounts, entries, onRoll }: PageShape): number => {
  switch (kind) {
    case "delivery-note":
      return amounts > 3 ? -0.6 : 0
    case "receipt":
      return onRoll ? 2.2 : -0.4
    case "statement":
      return entries >= 2 ? 1 : -0.3
    default:
      return amounts === 0 && bills.has(kind) ? -1.2 : 0
  }
}

/** Titles say most; of many words each says less than the one before. */
const scoreOf = (kind: DocumentKind, { title, words }: KindFeatures, shape: PageShape): number =>
  title === 0 && words === 0 ? -2 : 4.5 * title + 2.2 * Math.log1p(words) + fitOf(kind, shape)

/** The score of `other`, which a kind must exceed. */
const otherScore = 2.1

/** The number of pages that are examined. */
export const pagesRead = 3
const leastProbability = 0.5
/** A kind that is less probable than one half is decided where every other is far less probable. */
const leastLeading = 0.42
const lead = 1.5
const mostEvidence = 8

/** The words that tell a person most: titles, then long words; `Nr.` alone tells little. */
const evidenceOf = (
  pages: ReadonlyArray<PageModel>,
  matches: ReadonlyArray<KindMatch>
): ReadonlyArray<KindEvidence> =>
  matches
    .map(({ from, page, phrase: { isTitle }, row, to }) => {
      const tokens = tokensOf(pages, { page, row, from, to })
      const letters = tokens.reduce((sum, { folded }) => sum + folded.length, 0)
      return { letters, shown: { page, row, from, to, isTitle, text: textOfWords(tokens) } }
    })
    .toSorted((a, b) => Number(b.shown.isTitle) - Number(a.shown.isTitle) || b.letters - a.letters)
    .slice(0, mostEvidence)
    .map(({ shown }) => shown)

/** Whether a title is one of an invoice, or contains one: `Factura simplificada`. */
const saysInvoice = (
  pages: ReadonlyArray<PageModel>,
  { byText }: KindPhrases,
  { phrase, ...span }: KindMatch
): boolean =>
  phrase.isTitle &&
  (phrase.kind === "invoice" ||
    tokensOf(pages, span).some(({ folded }) =>
      byText.get(folded)?.some(({ isTitle, kind }) => isTitle && kind === "invoice")
    ))

const textOf = (pages: ReadonlyArray<PageModel>): string =>
  pages.map(({ rows }) => rows.map(textOfWords).join("\n")).join("\n")

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
  const features = kindFeatures(pages, matches, languages.languages, shape.onRoll)
  const scores: ReadonlyArray<readonly [DocumentKind | "other", number]> = [
    ...documentKinds.map((kind) => [kind, scoreOf(kind, features.get(kind) ?? none, shape)] as const),
    ["other", otherScore + 4.5 * (features.get("other") ?? none).title]
  ]
  const total = scores.reduce((sum, [, score]) => sum + Math.exp(score), 0)
  const probabilities = scores
    .map(([kind, score]) => [kind, Math.exp(score) / total] as const)
    .toSorted(([, left], [, right]) => right - left)
  const [[best, most] = ["other", 0] as const, [, second] = ["other", 0] as const] = probabilities
  const bill = probabilities.find(([kind]) => bills.has(kind))?.[0] ?? "other"
  const ofBills = sumOf(probabilities.filter(([kind]) => bills.has(kind)))
  const leads = most >= leastProbability || (most >= leastLeading && most >= lead * second)
  const kind = leads ? best : ofBills >= leastProbability ? bill : "other"
  return {
    kind,
    probability: kind === best ? most : 1 - most,
    probabilities,
    saysInvoice: matches.some((match) => saysInvoice(pages, phrases, match)),
    evidence: evidenceOf(
      pages,
      matches.filter(({ phrase }) => phrase.kind === kind)
    ),
    languages
  }
}
