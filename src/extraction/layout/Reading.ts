import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { DateTime, Effect } from "effect"
import { byRow, type ByRow, type Candidate, rowKey } from "./Candidate.ts"
import { dateOrderOf, datesInLanguages, datesOf, type FoundDate } from "./DateCandidates.ts"
import type { DateOrder } from "../values/Dates.ts"
import type { Field } from "../lexicon/Field.ts"
import { CurrentLexicon } from "../lexicon/CurrentLexicon.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { languagesIn, sharesOf } from "../lexicon/LanguagesIn.ts"
import { labelIndex } from "./Labels.ts"
import { type LabelMatch, labelMatches } from "./LabelMatches.ts"
import { moneyOf } from "./MoneyCandidates.ts"
import { type Decimal, decimalOf } from "../values/Numbers.ts"
import { pageModel, type PageModel, type Token } from "./PageModel.ts"
import { defined } from "../../support/Defined.ts"
import { currencyCodes, currencySigns } from "../lexicon/CurrencySigns.ts"
import { asWritten } from "../lexicon/WordPatterns.ts"

const decimalsOf = (currency: string): number | undefined =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits

const hasThree = (code: string): boolean => decimalsOf(code) === 3

/** Their codes and signs: dinars and rials are a thousand fils, millimes or baisas. */
const inThousands = ofLexicon((lexicon) => {
  const signs = [...currencySigns(lexicon)].flatMap(([sign, code]) => (hasThree(code) ? [sign] : []))
  const printed = asWritten([...[...currencyCodes(lexicon)].filter(hasThree), ...signs])
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${printed}(?![\p{L}\p{N}])`, "u")
})

const inThousandths = /^\d{1,3}([.,])\d{3}$/u

/**
 * The decimal sign of a document whose amounts all have three figures behind one sign, and whose currency is counted in
 * thousandths: `750.000` of a Jordanian invoice are 750 dinars. Undefined for others, where these are thousands.
 */
const decimalInThousandths = (
  figures: Iterable<string>,
  text: string,
  lexicon: Lexicon
): Decimal | undefined => {
  const signs = new Set<string>()
  for (const figure of figures) {
    const [, sign] = inThousandths.exec(figure.replace(/^[^\d]+|[^\d]+$/gu, "")) ?? []
    if (sign !== undefined) signs.add(sign)
  }
  if (signs.size !== 1 || !inThousands(lexicon).test(text)) return undefined
  return signs.has(".") ? "." : ","
}

/** Everything that rules know about a document before they look for a field. */
export interface Reading {
  readonly pages: ReadonlyArray<PageModel>
  readonly lexicon: Lexicon
  readonly text: string
  readonly dateOrder: DateOrder
  /** Today, as an ISO date. */
  readonly today: string
  /** The decimal sign that most numbers prove. */
  readonly decimal?: Decimal
  readonly dates: ReadonlyArray<FoundDate>
  readonly money: ReadonlyArray<Candidate<number>>
  readonly moneyByRow: ByRow<number>
  readonly labels: ReadonlyArray<LabelMatch>
  readonly labelsByRow: ReadonlyMap<string, ReadonlyArray<LabelMatch>>
}

/** Does some work for every page and lets other fibers run in between, so that a long document blocks nobody. */
const eachPage = <A, B>(
  pages: ReadonlyArray<A>,
  work: (page: A, index: number) => B
): Effect.Effect<Array<B>> =>
  Effect.forEach(pages, (page, index) =>
    Effect.as(Effect.yieldNow, undefined).pipe(Effect.map(() => work(page, index)))
  )

const textOf = (model: PageModel): string => model.rows.map((row) => textOfWords(row)).join("\n")

const datesByRow = (dates: ReadonlyArray<FoundDate>) => {
  const rows = byRow(dates)
  return (page: number, row: number, token: number): boolean =>
    rows.get(`${page}:${row}`)?.some(({ span }) => span.from <= token && token <= span.to) ?? false
}

const figures = /^\d{2,4}$/u

/** The groups of figures behind the first one of an IBAN, however they were recognized: none of them is an amount. */
const accountGroups = (row: ReadonlyArray<Token>): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [at, { phrase, text }] of row.entries()) {
    if (!/^[A-Z]{2}\d{2}$/u.test(text)) continue
    let to = at
    while (row[to + 1]?.phrase === phrase && figures.test(row[to + 1]?.text ?? "")) to++
    if (to - at >= 3) for (let token = at + 1; token <= to; token++) found.add(token)
  }
  return found
}

/** Today in UTC, as an ISO date. */
export const isoToday: Effect.Effect<string> = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

/** Reads a document for the given fields: its rows, labels, dates and amounts. Today is that of the clock unless it is given. */
export const readDocument = Effect.fnUntraced(function* (
  document: DocumentIR,
  fields: ReadonlyArray<Field>,
  dateOrder: DateOrder | undefined,
  givenToday?: string
) {
  const lexicon = yield* CurrentLexicon
  const pages = yield* eachPage(document.pages, (page) => pageModel(page, lexicon))
  const texts = yield* eachPage(pages, textOf)
  const text = texts.join("\n")
  const index = labelIndex(fields, lexicon)
  const labels = (yield* eachPage(pages, (page, i) => labelMatches(index, page, i))).flat()
  const firstDates = (yield* eachPage(pages, (page, i) => datesOf(page, i, "DMY"))).flat()
  const today = givenToday ?? (yield* isoToday)
  const order = dateOrder ?? dateOrderOf(firstDates, { text, lexicon, today })
  const inOrder =
    order === "DMY" ? firstDates : (yield* eachPage(pages, (page, i) => datesOf(page, i, order))).flat()
  const dates = datesInLanguages(inOrder, () => sharesOf(languagesIn(lexicon, text)))
  const inDate = datesByRow(dates)
  const groups = pages.map((page) => page.rows.map(accountGroups))
  const isTaken = (page: number, row: number, token: number): boolean =>
    inDate(page, row, token) || groups[page]?.[row]?.has(token) === true
  const printed = yield* eachPage(pages, (page, i) =>
    page.rows.flatMap((row, r) => row.filter((token, t) => /\d/u.test(token.text) && !isTaken(i, r, t)))
  )
  const figures = printed.flat().map((token) => token.text)
  const decimal = decimalOf(figures) ?? decimalInThousandths(figures, text, lexicon)
  const money = (yield* eachPage(pages, (page, i) =>
    moneyOf(page, i, decimal, (row, token) => isTaken(i, row, token))
  )).flat()
  const reading: Reading = {
    pages,
    lexicon,
    text,
    dateOrder: order,
    today,
    ...defined({ decimal }),
    dates,
    money,
    moneyByRow: byRow(money),
    labels,
    labelsByRow: Map.groupBy(labels, ({ span }) => rowKey(span.page, span.row))
  }
  return reading
})
