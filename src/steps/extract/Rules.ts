import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { Effect } from "effect"
import type { Candidate } from "./candidates/Candidate.ts"
import { withoutCreditSign } from "./relations/CreditNote.ts"
import { currenciesOf } from "./finders/CurrencyField.ts"
import { parseDate } from "./candidates/Dates.ts"
import type { DateOrder } from "./candidates/Dates.ts"
import { parseEquation } from "./relations/Equation.ts"
import { grounded, inferred, missing, moneyEvidence, tableEvidence } from "./RuleEvidence.ts"
import type { Field } from "./Field.ts"
import { addressesOf } from "./finders/Address.ts"
import { customersOf } from "./finders/Customer.ts"
import { identifiersOf } from "./candidates/Identifiers.ts"
import { kindsOf } from "./finders/Kind.ts"
import { merchantsOf } from "./finders/Merchant.ts"
import { misreadDates } from "./candidates/MisreadDates.ts"
import { withLikelyYear } from "./candidates/MisreadYears.ts"
import { parseMoney } from "./candidates/Money.ts"
import { withSumOfParts } from "./finders/StackedAmounts.ts"
import { tokensOf } from "./page/PageModel.ts"
import { patternMatches } from "./candidates/Patterns.ts"
import { rank } from "./candidates/Rank.ts"
import { best, type Ranked, scored } from "./candidates/Ranked.ts"
import { type Reading, readDocument } from "./page/Reading.ts"
import { recentness } from "./candidates/Recent.ts"
import { isInside } from "./page/Regions.ts"
import { segmentsOf } from "./page/Segments.ts"
import { sellersOf } from "./finders/Seller.ts"
import { chooseSums } from "./relations/Sums.ts"
import { sumsInRows } from "./relations/SumsInRows.ts"
import { findTable, type FoundTable } from "./tables/FoundTable.ts"
import { phonesOf, typedValues } from "./candidates/TypedValues.ts"
import { atTill } from "./relations/Till.ts"
import { withoutRivals } from "./candidates/Rivals.ts"

export interface RulesOptions {
  readonly fields: ReadonlyArray<Field>
  /** `subtotal + taxAmount = totalAmount` and the like. */
  readonly relations: ReadonlyArray<string>
  readonly dateOrder?: DateOrder
}

const yes = /^(?:yes|true|ja|oui|sí|si|x|✓|☑|☒)$/iu
const no = /^(?:no|false|nein|non|nee|☐)$/iu

/** Reads a text that a flow's pattern picked as the field's type. */
const typed = (reading: Reading, field: Field, text: string): string | number | boolean | undefined => {
  switch (field.type) {
    case "date":
      return parseDate(text, reading.dateOrder)?.iso
    case "money":
    case "number":
    case "percent":
      return parseMoney(text.replace(/\s?%$/u, ""), reading.decimal)?.value
    case "integer": {
      const value = parseMoney(text, reading.decimal)?.value
      return Number.isInteger(value) ? value : undefined
    }
    case "boolean":
      return yes.test(text) ? true : no.test(text) ? false : undefined
    default:
      return text
  }
}

const retyped = (reading: Reading, field: Field, found: ReadonlyArray<Candidate<string>>): Array<Candidate> =>
  found.flatMap((candidate) => {
    const value = typed(reading, field, candidate.value)
    return value === undefined ? [] : [{ ...candidate, value }]
  })

/** A bare figure is a poor amount but a perfect number. */
const asFigures = (money: ReadonlyArray<Candidate<number>>): Array<Candidate<number>> =>
  money.map(({ span, bbox, text, value }) => ({ span, bbox, text, value, quality: 0.95 }))

const candidatesOf = (reading: Reading, field: Field): ReadonlyArray<Candidate> => {
  if (field.pattern !== undefined) return retyped(reading, field, patternMatches(reading, field.pattern))
  switch (field.type) {
    case "date":
      return reading.dates
    case "money":
      return reading.money
    case "number":
      return asFigures(reading.money)
    case "integer":
      return asFigures(reading.money.filter(({ value }) => Number.isInteger(value)))
    case "identifier":
      return identifiersOf(reading)
    case "percent":
    case "iban":
    case "vatId":
    case "email":
      return typedValues(reading, field.type)
    case "phone":
      return phonesOf(reading)
    default:
      return retyped(reading, field, segmentsOf(reading))
  }
}

const distinct: ReadonlySet<string> = new Set(["iban", "vatId", "email", "phone"])

/** What is left when no label leads to a value: a document's only date, a pattern that matches somewhere. */
const unlabelled = (field: Field, candidates: ReadonlyArray<Candidate>): Array<Ranked> => {
  const [first] = candidates
  if (first === undefined) return []
  if (field.pattern !== undefined || field.region !== undefined) {
    const chosen = candidates[(field.occurrence ?? 1) - 1]
    return chosen === undefined ? [] : [{ ...chosen, score: field.pattern === undefined ? 0.5 : 0.6 }]
  }
  // An IBAN or an address of mail is known by its looks, if not whose it is.
  if (distinct.has(field.type)) {
    const different = new Set(candidates.map(({ value }) => value)).size
    return best(candidates.map((found) => scored(found, (different === 1 ? 0.85 : 0.6) * found.quality)))
  }
  return field.type === "date" && field.pick === "first" ? [{ ...first, score: 0.4 }] : []
}

const foundFor = (reading: Reading, field: Field): ReadonlyArray<Ranked> => {
  if (field.look === "seller") return sellersOf(reading, field)
  if (field.look === "merchant") return merchantsOf(reading, field)
  if (field.look === "currency") return currenciesOf(reading, field)
  if (field.look === "kind") return kindsOf(reading, field)
  if (field.look === "customer") return customersOf(reading, field)
  if (field.look === "address") return addressesOf(reading, field)
  const { region } = field
  const everywhere = candidatesOf(reading, field)
  const candidates =
    region === undefined ? everywhere : everywhere.filter((candidate) => isInside(reading, region, candidate))
  const ranked = rank(reading, field, candidates)
  if (ranked.length > 0) return ranked
  const misread = field.type === "date" ? misreadDates(reading, field) : []
  return misread.length > 0 ? misread : unlabelled(field, candidates)
}

const isRecognised = (reading: Reading, { span }: Candidate): boolean =>
  tokensOf(reading.pages, span).some(({ confidence }) => confidence !== undefined)

/** Everything that could be a field's value, the likeliest first. A date far from today weighs less than any other. */
export const rankedOf = (reading: Reading, field: Field): ReadonlyArray<Ranked> => {
  const ranked = foundFor(reading, field)
  if (!field.recent) return ranked
  return best(
    ranked.map((found) => {
      const near = scored(found, found.score * recentness(found.value, reading.today))
      return isRecognised(reading, found) ? withLikelyYear(near, reading.today) : near
    })
  )
}

const isNumber = (ranked: Ranked): ranked is Ranked<number> => typeof ranked.value === "number"

const amountsOf = (ranked: ReadonlyArray<Ranked>, adds: boolean): ReadonlyArray<Ranked<number>> => {
  const amounts = ranked.filter(isNumber)
  return adds ? withSumOfParts(amounts) : amounts
}

const evidenceOf = (reading: Reading, field: Field, ranked: ReadonlyArray<Ranked>): FieldEvidence => {
  if (ranked.length > 0) return grounded(reading, ranked)
  if (field.look === "kind") return inferred("invoice", 0.5)
  return missing
}

const columnSums = (tables: ReadonlyMap<string, FoundTable>): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, { rows }] of tables) {
    for (const column of Object.keys(rows[0] ?? {})) {
      const values = rows.map((row) => row[column])
      if (!values.every((value) => typeof value === "number")) continue
      sums.set(`${name}.${column}`, Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100)
    }
  }
  return sums
}

/**
 * Finds the fields of a document by rules: every label and every value on every page, scored by how well they stand
 * together, then chosen so that the sums add up. Yields between pages and fields.
 */
export const extractByRules = Effect.fnUntraced(function* (document: DocumentIR, options: RulesOptions) {
  const { fields } = options
  const reading = yield* readDocument(document, fields, options.dateOrder)
  const moneyFields = new Set(fields.filter(({ type }) => type === "money").map(({ name }) => name))
  const tables = new Map<string, FoundTable>()
  const ranked = new Map<string, ReadonlyArray<Ranked>>()
  for (const field of fields) {
    yield* Effect.yieldNow
    const table = field.type === "table" ? yield* findTable(reading, field, moneyFields) : undefined
    if (table !== undefined) tables.set(field.name, table)
    else if (field.type !== "table") ranked.set(field.name, rankedOf(reading, field))
  }
  yield* Effect.yieldNow
  const equations = options.relations.flatMap((text) => parseEquation(text) ?? [])
  const inRows = sumsInRows(reading, equations)
  for (const { name, type } of fields) {
    const more = type === "money" ? inRows.get(name) : undefined
    if (more !== undefined) ranked.set(name, best([...(ranked.get(name) ?? []), ...more]))
  }
  const sums = chooseSums(equations, {
    ranked: new Map(
      fields.flatMap(({ name, type, adds }) =>
        type === "money" ? [[name, amountsOf(ranked.get(name) ?? [], adds)] as const] : []
      )
    ),
    columns: columnSums(tables),
    money: reading.money,
    onTop: new Set(fields.filter(({ adds }) => adds).map(({ name }) => name))
  })
  const settled = withoutRivals(fields, ranked)
  const found = Object.fromEntries(
    fields.map((field): [string, FieldEvidence] => {
      if (field.type === "table") return [field.name, tableEvidence(reading, tables.get(field.name))]
      if (field.type === "money") {
        const sum = sums.get(field.name)
        const chosen = field.till && sum !== undefined ? atTill(reading, sum) : sum
        return [field.name, moneyEvidence(reading, chosen, ranked.get(field.name))]
      }
      return [field.name, evidenceOf(reading, field, settled.get(field.name) ?? [])]
    })
  )
  return withoutCreditSign(fields, found)
})
