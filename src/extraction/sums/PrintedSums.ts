import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { parse } from "yaml"
import { inCents } from "../../support/Cents.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { mostAmounts } from "../candidates/AmountRoles.ts"
import { best, isLabelled, type Ranked } from "../candidates/Ranked.ts"
import { type Candidate, placeKey, rowKey } from "../layout/Candidate.ts"
import { textBefore } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Field } from "../lexicon/Field.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { isWordList, type WordList } from "../lexicon/LexiconFile.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { parseEquation, type Term } from "./Equation.ts"

type Amount = Candidate<number>

/** The terms of a line of `templates.yaml`, in the order in which they are printed. */
type Template = readonly [first: Term, middle: Term, last: Term]

/** The names of terms that the file explains; the others are lists of words of the lexicon. */
const explained: ReadonlySet<string> = new Set(["total", "sum", "due", "paid", "suggested", "other"])

const Sums = Schema.Array(Schema.String)
const decode = Schema.decodeUnknownSync(Schema.Struct({ receipt: Sums, invoice: Sums, any: Sums }))

const templateOf = (text: string): Template => {
  const [first, middle, last, ...more] = parseEquation(text)?.terms ?? []
  if (first === undefined || middle === undefined || last === undefined || more.length > 0)
    throw new Error(`templates.yaml: "${text}" must have three terms`)
  const unknown = [first, middle, last].find(({ field }) => !explained.has(field) && !isWordList(field))
  if (unknown !== undefined)
    throw new Error(
      `templates.yaml: "${unknown.field}" in "${text}" is neither a list of words of the lexicon nor one of ${[...explained].join(", ")}`
    )
  return [first, middle, last]
}

const { any, invoice, receipt } = decode(
  parse(readFileSync(fileURLToPath(new URL("templates.yaml", import.meta.url)), "utf8"))
)
const templates = {
  receipt: [...receipt, ...any].map(templateOf),
  invoice: [...invoice, ...any].map(templateOf)
}

const listsOf = ofLexicon(() => new Map<WordList, RegExp>())

/** Whether a text has one of a list of words of the lexicon. */
const hasWord = (lexicon: Lexicon, list: WordList, text: string): boolean => {
  const lists = listsOf(lexicon)
  const words = lists.get(list) ?? wholeWords(lexicon.words(list))
  lists.set(list, words)
  return words.test(text)
}
const dueWords = ofLexicon((lexicon) => wholeWords(lexicon.field("invoice.amountDue").labels))

/** Whether a term is the total of the document. */
const isTotal = ({ field }: Term): boolean => field === "total" || field === "sum"

const leastQuality = 0.7
/** The most rows with amounts that a sum spans. */
const mostRows = 12

/** An amount that is printed, with its row among those with amounts. */
interface Placed {
  readonly amount: Amount
  readonly cents: number
  readonly row: number
  /** It is the last of its row. */
  readonly isLast: boolean
}

const placed = ({ moneyByRow, pages }: Reading): ReadonlyArray<Placed> => {
  let count = 0
  return pages.flatMap(({ rows }, page) =>
    rows.flatMap((_, row) => {
      const amounts = (moneyByRow.get(rowKey(page, row)) ?? []).filter(
        ({ quality }) => quality >= leastQuality
      )
      if (amounts.length > 0) count++
      return amounts.map((amount, at) => ({
        amount,
        cents: Math.abs(inCents(amount.value)),
        row: count,
        isLast: at === amounts.length - 1
      }))
    })
  )
}

/** Tells whether an amount can be a term with a name. */
const matcherOf = (reading: Reading, total: Field) => {
  const known = new Map<string, boolean>()
  const is = (name: string, { amount, isLast }: Placed): boolean => {
    if (name === "discount" && amount.value < 0) return true
    const before = textBefore(reading.pages, amount.span)
    if (name === "due") return dueWords(reading.lexicon).test(before)
    if (name === "paid") return !hasWord(reading.lexicon, "discount", before)
    if (isWordList(name)) return hasWord(reading.lexicon, name, before)
    if (name === "suggested") return !isLast
    if (!isLast || name !== "total") return isLast
    const { page, row } = amount.span
    return (reading.labelsByRow.get(rowKey(page, row)) ?? []).some(
      ({ label }) => label.field === total.name && label.names
    )
  }
  return ({ field }: Term, one: Placed): boolean => {
    const key = `${field} ${placeKey(one.amount)}`
    const result = known.get(key) ?? is(field, one)
    known.set(key, result)
    return result
  }
}

/** A sum that a document prints. */
interface PrintedSum {
  readonly total: Amount
  /** The first or the last term, which the total is not. */
  readonly other: Amount
  /** The amounts that words before them name, such as a tip. */
  readonly named: ReadonlyArray<{ readonly amount: Amount; readonly name: string }>
  /** Whether what is left to pay is less than the total. */
  readonly isPartlyPaid: boolean
}

const sumsOf = (
  [one, two, three]: Template,
  amounts: ReadonlyArray<Placed>,
  is: (term: Term, amount: Placed) => boolean
): ReadonlyArray<PrintedSum> => {
  const found: Array<PrintedSum> = []
  for (const [to, last] of amounts.entries()) {
    if (last.cents === 0 || !is(three, last)) continue
    const above = amounts.slice(0, to).filter(({ row }) => row >= last.row - mostRows)
    for (const [from, first] of above.entries()) {
      const rest = -(one.sign * first.cents + three.sign * last.cents) * two.sign
      if (rest <= 0 || !is(one, first)) continue
      const between = above.slice(from + 1).filter((amount) => amount.cents > 0 && is(two, amount))
      const single = between.find(({ cents }) => cents === rest)
      const middle = single === undefined ? between.filter(({ isLast }) => isLast) : [single]
      if (middle.reduce((sum, { cents }) => sum + cents, 0) !== rest) continue
      const [total, other] = isTotal(three) ? [last, first] : [first, last]
      found.push({
        total: total.amount,
        other: other.amount,
        named: [
          ...middle.map(({ amount }) => ({ amount, name: two.field })),
          { amount: last.amount, name: three.field }
        ].filter(({ name }) => isWordList(name)),
        isPartlyPaid: three.field === "due"
      })
    }
  }
  // Several suggested tips make several sums of one bill. Nobody paid any of them.
  return found.map((sum) =>
    !isTotal(one) && found.some(({ other, total }) => other === sum.other && total.value !== sum.total.value)
      ? Object.assign({}, sum, { total: sum.other, other: sum.total })
      : sum
  )
}

const known = new WeakMap<Reading, ReadonlyArray<PrintedSum>>()

const printedSums = (reading: Reading, total: Field): ReadonlyArray<PrintedSum> => {
  const before = known.get(reading)
  if (before !== undefined) return before
  const is = matcherOf(reading, total)
  const amounts = reading.money.length > mostAmounts ? [] : placed(reading)
  const sums = templates[total.pointOfSale ? "receipt" : "invoice"].flatMap((template) =>
    sumsOf(template, amounts, is)
  )
  known.set(reading, sums)
  return sums
}

const totalIn = (fields: ReadonlyArray<Field>): Field | undefined =>
  fields.find(({ pointOfSale, preset }) => pointOfSale || preset === "invoice.totalAmount")

/** The share of the doubt that is left where a sum holds. */
const doubtLeft = 0.25

const proven = (total: Ranked): Ranked => ({
  ...total,
  score: 1 - (1 - total.score) * doubtLeft,
  features: { ...total.features, inSum: 1 }
})

/**
 * The candidates for amounts without those that a printed sum explains as something else: cash and change, a tip, the bill
 * before it, what is left to pay, what a total is rounded by. The total of such a sum is surer.
 */
export const withPrintedSums = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
): ReadonlyMap<string, ReadonlyArray<Ranked>> => {
  const field = totalIn(fields)
  const sums = field === undefined ? [] : printedSums(reading, field)
  if (field === undefined || sums.length === 0) return ranked
  const named = new Map(
    sums.flatMap((sum) => sum.named.map(({ amount, name }) => [placeKey(amount), name] as const))
  )
  const totals = new Set(sums.map(({ total }) => total.value))
  const others = new Set(sums.map(({ other }) => other.value))
  const left = new Map(ranked)
  for (const { name, preset, type } of fields) {
    if (type !== "money" || preset === undefined) continue
    const own = (ranked.get(name) ?? []).flatMap((one) => {
      const term = named.get(placeKey(one))
      if (term === undefined) return [one]
      // Some tills print the change with a minus.
      if (preset.endsWith(`.${term}`)) return [{ ...one, value: Math.abs(Number(one.value)) }]
      return isLabelled(one) ? [one] : []
    })
    left.set(name, own)
    if (name !== field.name) continue
    const rest = own.filter((one) => !others.has(Number(one.value)))
    left.set(name, best(rest.map((one) => (totals.has(Number(one.value)) ? proven(one) : one))))
  }
  return left
}

/**
 * The warning that less than the total is left to pay, because of a deposit for example. None where nothing of that is
 * printed, and where the flow asks for `amountDue` itself.
 */
export const leftToPay = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  evidence: ReadonlyMap<string, FieldEvidence>
): ReadonlyArray<string> => {
  const field = totalIn(fields)
  if (field === undefined || fields.some(({ preset }) => preset === "invoice.amountDue")) return []
  const value = evidence.get(field.name)?.value
  const rest = printedSums(reading, field).findLast(
    ({ isPartlyPaid, total }) => isPartlyPaid && total.value === value
  )
  if (rest === undefined) return []
  const label = dueWords(reading.lexicon).exec(textBefore(reading.pages, rest.other.span))?.[0] ?? ""
  const printed = JSON.stringify(`${label} ${rest.other.text}`)
  return [`Less than ${field.name} is left to pay: ${Math.abs(rest.other.value)} (${printed}).`]
}
