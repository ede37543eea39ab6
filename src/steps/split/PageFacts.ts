import type { Line, Page } from "../../domain/DocumentIR.ts"
import { type Lexicon, ofLexicon } from "../../extraction/lexicon/Lexicon.ts"
import { anyOf, wholeWords } from "../../extraction/lexicon/WordPatterns.ts"
import { parseMoney } from "../../extraction/values/Money.ts"
import { words } from "../Phrases.ts"

/** The facts of a page that are the same on all pages of a document, or occur only on its first or last. */
export interface PageFacts {
  /** The labelled numbers in its head, like the number of an invoice: the value of each label. */
  readonly numbers: ReadonlyMap<string, string>
  /** The amounts next to words like "total". */
  readonly totals: ReadonlySet<number>
  readonly hasSalutation: boolean
  readonly hasClosing: boolean
  readonly isContinued: boolean
  /** Whether a line at its top is much larger than its lines are. */
  readonly hasTitle: boolean
}

/** The head of a page, as a share of its lines. */
const headShare = 0.5
const leastHead = 12

/** No label or total is further to the right; a line may be as long as a document wants. */
const mostCharacters = 300

const textsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  lines.map(({ text }) => text.slice(0, mostCharacters))

const begins = (phrases: ReadonlyArray<string>): RegExp =>
  new RegExp(String.raw`^\W*${anyOf(phrases)}(?![\p{L}\p{N}])`, "iu")

/** The words that a page is searched for, in the languages of a lexicon. */
const wordsOfPages = ofLexicon((lexicon) => {
  const alone = [...lexicon.words("number"), ...lexicon.words("references")]
  const number = String.raw`(?:\p{L}*${anyOf(lexicon.words("numberEndings"))}|${anyOf(alone)})`
  return {
    fold: lexicon.fold,
    /** `Invoice No. 4711`, `Rechnungsnummer: R-4711`, `Facture N° F/17`: a label that says "number", and a value with a digit. */
    labelled: new RegExp(
      String.raw`(?<![\p{L}\p{N}])((?:\p{L}[\p{L}\p{M}.'-]*\s+){0,3}${number})(?!\p{L})\s*[.:#]*\s*([\p{L}\p{N}][\p{L}\p{N}/_.-]*\d[\p{L}\p{N}/_.-]*)`,
      "giu"
    ),
    totals: lexicon.field("receipt.totalAmount").labels.map(words),
    salutation: begins(lexicon.words("salutations")),
    closing: begins(lexicon.words("closings")),
    carried: wholeWords(lexicon.words("carried"))
  }
})
type WordsOfPages = ReturnType<typeof wordsOfPages>

const numbersOf = ({ fold, labelled }: WordsOfPages, { lines }: Page): ReadonlyMap<string, string> => {
  const head = lines.slice(0, Math.max(leastHead, Math.ceil(lines.length * headShare)))
  const found = new Map<string, string>()
  for (const text of textsOf(head)) {
    for (const [, label = "", value = ""] of text.matchAll(labelled)) {
      const key = fold(label)
      if (!found.has(key)) found.set(key, fold(value))
    }
  }
  return found
}

const amount = /\d[\d.,' ]*[.,]\d{2}(?!\d)/gu

const totalsOf = ({ totals }: WordsOfPages, { lines }: Page): ReadonlySet<number> =>
  new Set(
    textsOf(lines).flatMap((text) => {
      const said = words(text)
      if (!totals.some((word) => said.includes(word))) return []
      return [...text.matchAll(amount)].flatMap(([value]) => parseMoney(value)?.value ?? [])
    })
  )

/** The maximum number of lines above a salutation, which is below the address. */
const salutationLines = 25
const topLines = 5

const titleLines = 8
const titleSize = 1.5

const hasTitle = ({ lines }: Page): boolean => {
  const heights = lines.map(({ bbox }) => bbox.h).toSorted((left, right) => left - right)
  const usual = heights[Math.floor(heights.length / 2)] ?? 0
  return lines.slice(0, titleLines).some(({ bbox }) => bbox.h >= usual * titleSize && usual > 0)
}

/** Reads the facts of a page that show whether a document begins there. */
export const factsOf = (page: Page, lexicon: Lexicon): PageFacts => {
  const known = wordsOfPages(lexicon)
  return {
    numbers: numbersOf(known, page),
    totals: totalsOf(known, page),
    hasSalutation: textsOf(page.lines.slice(0, salutationLines)).some((text) => known.salutation.test(text)),
    hasClosing: textsOf(page.lines).some((text) => known.closing.test(text)),
    isContinued: textsOf(page.lines.slice(0, topLines)).some((text) => known.carried.test(text)),
    hasTitle: hasTitle(page)
  }
}
