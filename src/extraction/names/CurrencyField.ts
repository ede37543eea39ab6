import type { Finder } from "./Finder.ts"
import { type CountryEvidence, countryEvidence } from "../candidates/CountryEvidence.ts"
import type { CountrySign } from "../lexicon/CountrySigns.ts"
import { currencyOf, meaningsOf, meaningsOfName, currencyLetters } from "../lexicon/CurrencySigns.ts"
import type { Field } from "../lexicon/Field.ts"
import { around, tokensOf, type Token } from "../layout/PageModel.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import { namesIn } from "../layout/NamesIn.ts"
import type { Reading } from "../layout/Reading.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { computeFeatures, type Features, type FeatureTable } from "../Features.ts"
import { scoreOf, type Weights } from "../models/RankingWeights.ts"

import weights from "../models/currency.json" with { type: "json" }

const scoring: Weights = weights

/** A code, sign or name of a currency somewhere in the document. */
interface Mark extends Omit<Ranked<string>, "score" | "value"> {
  /** ISO 4217 codes that it can mean, the most common first. */
  readonly means: ReadonlyArray<string>
  readonly kind: "label" | "code" | "wordlike" | "sign"
  /** Whether it is in a row with the label of an amount. */
  readonly inSum: boolean
}

/** Codes that are also words, names or goods: a BALLPOINT PEN, RON 95, TRY, ALL. They need more than one amount. */
const wordlike: ReadonlySet<string> = new Set(
  "PEN RON TRY ALL TOP COP CUP MAD GEL SOS PAB LAK BOB AUD AMD BAM MOP MUR MVR NAD NIO".split(" ")
)

/** A code or sign that is a word of its own. The abbreviation of a word is none: `ATATÜRK CAD. NO:18`. */
const standingAlone = (text: string): string | undefined => {
  const bare = text.replace(/^[("[]+|[)\]",:;]+$/gu, "")
  return /^[A-Z]{3}$/u.test(bare) || /^(?:[A-Z]{0,2}\p{Sc}|EURO?|Euro)$/u.test(bare) ? bare : undefined
}

/** The code or sign that an amount is printed with: `RM` of `RM 12.00`. */
export const markOf = (text: string): string => text.replace(/[\d.,'’()+−–-]+/gu, " ").trim()

const kindOf = (mark: string): Mark["kind"] => {
  const code = mark.toUpperCase()
  return /^[A-Z]{3}$/u.test(code) && currencyOf(code) === code
    ? wordlike.has(code)
      ? "wordlike"
      : "code"
    : "sign"
}

const marksOfRow = (reading: Reading, field: Field, page: number, row: number): Array<Mark> => {
  const tokens: ReadonlyArray<Token> = reading.pages[page]?.rows[row] ?? []
  const labels = reading.labelsByRow.get(`${page}:${row}`) ?? []
  const own = labels.find(({ label }) => label.names && label.field === field.name)
  const inSum = labels.some(({ label }) => label.names && label.field !== field.name)
  const amounts = reading.moneyByRow.get(`${page}:${row}`) ?? []
  const words = namesIn(reading)
  const written = amounts.flatMap(({ currency, span, bbox, text }): Array<Mark> => {
    const mark = markOf(text)
    const means = currencyLetters(reading.lexicon).get(mark) ?? meaningsOf(mark)
    if (currency === undefined || means.length === 0) return []
    return [{ span, bbox, text, quality: 1, means, kind: kindOf(mark), inSum }]
  })
  const alone = tokens.flatMap((token, at): Array<Mark> => {
    if (amounts.some(({ currency, span }) => currency !== undefined && span.from <= at && at <= span.to))
      return []
    const behind = own !== undefined && at > own.span.to
    const mark = standingAlone(token.text)
    const means = mark === undefined ? (behind ? meaningsOfName(token.text) : []) : meaningsOf(mark)
    // The end of a company's name, as in `Denki Sdn Bhd`, says nothing of dinars.
    const isForm = () => words.endsInForm(textOfWords(tokens.slice(0, at + 1)))
    if (means.length === 0 || (!behind && at > 0 && isForm())) return []
    // What several currencies share proves none of them behind a label either: `Amount in words: ... rupees`.
    const kind = behind && means.length === 1 ? "label" : kindOf(mark ?? "")
    const place = { span: { page, row, from: at, to: at }, bbox: around([token]), text: token.text }
    return [{ ...place, quality: 0.9, means, kind, inSum }]
  })
  return [...written, ...alone]
}

const rowsOf = (marks: ReadonlyArray<Mark>): number =>
  Math.min(3, Math.log2(1 + new Set(marks.map(({ span }) => `${span.page}:${span.row}`)).size))

/** A currency with the marks that can mean it. */
interface Marked {
  readonly reading: Reading
  readonly value: string
  readonly countries: CountryEvidence
  readonly mine: ReadonlyArray<Mark>
  /** The marks of a kind. */
  readonly of: (kind: Mark["kind"]) => ReadonlyArray<Mark>
  /** Signs that mean nothing else, and signs that other currencies have as well. */
  readonly own: ReadonlyArray<Mark>
  readonly shared: ReadonlyArray<Mark>
  /** The marks of other currencies. */
  readonly others: ReadonlyArray<Mark>
  /** How many of its marks are no words. */
  readonly trusted: number
}

/** How a currency is printed; the signs of its country are in `CountryEvidence`. */
const currencyTable = {
  /** Printed behind a label for the currency. */
  labelled: ({ of }) => of("label").length > 0,
  /** Its code is in the row of a sum. */
  codeInSum: ({ of }) => of("code").some(({ inSum }) => inSum),
  /** Rows with its code. */
  codeRows: ({ of }) => rowsOf(of("code")),
  /** Rows with its code, which is a word as well. */
  wordlikeCodeRows: ({ of }) => rowsOf(of("wordlike")),
  /** Rows with a sign that means nothing else. */
  ownSignRows: ({ own }) => rowsOf(own),
  /** Rows with a sign that other currencies have as well. */
  sharedSignRows: ({ shared }) => rowsOf(shared),
  /** The sign means it first of all. */
  firstMeaning: ({ shared, value }) => shared.some(({ means }) => means[0] === value),
  /** The share of its marks among all. */
  share: ({ of, others, own, trusted }) =>
    own.length + of("code").length > 0 ? trusted / (trusted + others.length) : 0,
  /** Rows with marks of other currencies. */
  rivalRows: ({ others }) => rowsOf(others),
  /** Far fewer marks than others: an invoice in a foreign currency states its tax in that of the country as well, once. */
  outnumbered: ({ others, trusted }) => 2 * trusted < others.length,
  /** The document has signs of other countries alone. */
  foreign: ({ countries, value }) => countries.get(value) === undefined && countries.size > 0,
  /** Recognized. */
  recognised: ({ mine, reading }) =>
    mine.some(({ span }) => tokensOf(reading.pages, span).some(({ confidence }) => confidence !== undefined))
} satisfies FeatureTable<Marked>

export type CurrencyFeature = keyof typeof currencyTable | CountrySign

const featuresOf = (
  reading: Reading,
  value: string,
  marks: ReadonlyArray<Mark>,
  countries: CountryEvidence
): Features => {
  const mine = marks.filter(({ means }) => means.includes(value))
  const of = (kind: Mark["kind"]) => mine.filter((mark) => mark.kind === kind)
  return {
    ...computeFeatures(currencyTable, {
      reading,
      value,
      countries,
      mine,
      of,
      own: of("sign").filter(({ means }) => means.length === 1),
      shared: of("sign").filter(({ means }) => means.length > 1),
      others: marks.filter(({ kind, means }) => !means.includes(value) && kind !== "wordlike"),
      trusted: mine.filter(({ kind }) => kind !== "wordlike").length
    }),
    ...countries.get(value)
  }
}

/** A value that is printed nowhere. */
const nowhere = {
  span: { page: 0, row: 0, from: 0, to: -1 },
  bbox: { x: 0, y: 0, w: 0, h: 0 },
  text: "",
  quality: 0.5,
  computed: true
} as const

/** A sign that several currencies share proves none of them, and a code that is a word is no proof alone. */
const most = (features: Features, countries: number): number => {
  const { codeRows = 0, labelled = 0, ownSignRows = 0, sharedSignRows = 0 } = features
  return labelled + codeRows + ownSignRows > 0
    ? 0.97
    : countries === 0
      ? 0.7
      : sharedSignRows > 0
        ? 0.95
        : 0.85
}

/**
 * The currency of the document: what its amounts are written in, weighed with what the document says of its country.
 * One that is written nowhere follows from the country alone.
 */
export const currenciesOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const marks = reading.pages.flatMap((page, p) =>
    page.rows.flatMap((_, row) => marksOfRow(reading, field, p, row))
  )
  const countries = countryEvidence(reading)
  const values = new Set([...marks.flatMap(({ means }) => means), ...countries.keys()])
  return [...values]
    .map((value): Ranked<string> => {
      const features = featuresOf(reading, value, marks, countries)
      const hints = Object.keys(countries.get(value) ?? {}).length
      const score = Math.min(most(features, hints), scoreOf(scoring, features))
      const order = ["label", "code", "sign", "wordlike"]
      const [place] = marks
        .filter(({ means }) => means.includes(value))
        .toSorted(
          (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || Number(b.inSum) - Number(a.inSum)
        )
      if (place !== undefined) {
        const { span, bbox, quality, text } = place
        return { span, bbox, quality, text, value, score, features }
      }
      return Object.assign({ value, score: 0.9 * score, features }, nowhere)
    })
    .filter(({ score }) => score >= 0.2)
    .toSorted((a, b) => b.score - a.score)
}

/** Finds the currency of the document. */
export const currencyFinder: Finder = { find: currenciesOf }
