import { countryCurrency } from "../lexicon/CountryHints.ts"
import { currencyOf, currencyOfName } from "../lexicon/CurrencyMarks.ts"
import type { Field } from "../Field.ts"
import { around, tokensOf, type Token } from "../page/PageModel.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import type { Reading } from "../page/Reading.ts"

interface Vote extends Ranked<string> {
  readonly weight: number
}

/** A code or sign that stands alone; of abbreviations only those that are written as one. */
const standingAlone = (text: string): string | undefined => {
  const bare = text.replace(/^[("]+|[)",.:;]+$/gu, "")
  return /^[A-Z]{3}$/u.test(bare) || /^(?:\p{Sc}|[A-Z]{1,2}\$|EURO?|Euro)$/u.test(bare)
    ? currencyOf(bare)
    : undefined
}

const votesOfRow = (reading: Reading, field: Field, page: number, row: number): Array<Vote> => {
  const tokens: ReadonlyArray<Token> = reading.pages[page]?.rows[row] ?? []
  const labelled = reading.labels.find(
    ({ label, span }) => label.names && label.field === field.name && span.page === page && span.row === row
  )
  return tokens.flatMap((token, from): Array<Vote> => {
    const behindLabel = labelled !== undefined && from > labelled.span.to
    // Without an amount it is the end of a Malaysian company's name, and no dinar.
    if (/^bhd\b/iu.test(token.text) && !behindLabel) return []
    const value = standingAlone(token.text) ?? (behindLabel ? currencyOfName(token.text) : undefined)
    if (value === undefined) return []
    return [
      {
        span: { page, row, from, to: from },
        bbox: around([token]),
        text: token.text,
        value,
        quality: 1,
        score: behindLabel ? 0.98 : 0.9,
        weight: behindLabel ? 6 : 1
      }
    ]
  })
}

/** A dollar sign is American unless the document says where it comes from. */
const dollars = (text: string): string | undefined =>
  /\bCAD\b|\bCanada\b|\bC\$|\bHST\b/u.test(text)
    ? "CAD"
    : /\bAUD\b|\bAustralia\b|\bABN\b/u.test(text)
      ? "AUD"
      : /\bNZD\b|\bNew Zealand\b/u.test(text)
        ? "NZD"
        : /\bSGD\b|\bSingapore\b/u.test(text)
          ? "SGD"
          : undefined

/** An S, a 5 or an 8 is easily taken for a dollar sign: a recognised one needs cents behind its amount. */
const isMisreadDollar = (reading: Reading, { quality, span, text }: Vote): boolean =>
  text.startsWith("$") &&
  (quality < 1 || text === "$") &&
  tokensOf(reading.pages, span).some(({ confidence }) => confidence !== undefined)

/**
 * The currency of the document: the one that a label names or most amounts are written in; where none is written, the
 * one of the seller's country, as VAT numbers, bank accounts and addresses tell.
 */
export const currenciesOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const alone = reading.pages.flatMap((page, p) =>
    page.rows.flatMap((_, row) => votesOfRow(reading, field, p, row))
  )
  const written = reading.money.flatMap((money): Array<Vote> =>
    money.currency === undefined ? [] : [{ ...money, value: money.currency, score: 0.95, weight: 1 }]
  )
  const votes = [...alone, ...written]
  const specific = dollars(reading.text)
  const trusted = votes.filter((vote) => !isMisreadDollar(reading, vote))
  const settled = trusted.map((vote) =>
    vote.value === "USD" && /^[^A-Z]*\$/u.test(vote.text) && specific !== undefined
      ? Object.assign({}, vote, { value: specific, score: 0.8 })
      : vote
  )
  const byValue = [...Map.groupBy(settled, (vote) => vote.value).values()]
  const ranked = byValue
    .map((group) => ({ group, weight: group.reduce((sum, vote) => sum + vote.weight, 0) }))
    .toSorted((a, b) => b.weight - a.weight)
  const total = ranked.reduce((sum, { weight }) => sum + weight, 0)
  return ranked.flatMap(({ group, weight }) => {
    const [first] = group.toSorted((a, b) => b.weight - a.weight || b.score - a.score)
    return first === undefined ? [] : [{ ...first, score: first.score * (0.6 + (0.4 * weight) / total) }]
  })
}

/** The currency of the seller's country, for documents that write none. */
export const inferredCurrency = (reading: Reading): string | undefined => countryCurrency(reading.text)
