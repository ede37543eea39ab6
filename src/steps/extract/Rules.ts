import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { Effect } from "effect"
import type { Candidate } from "./candidates/Candidate.ts"
import { withoutCreditSign } from "./relations/CreditNote.ts"
import type { DateOrder } from "./candidates/Dates.ts"
import { parseEquation } from "./relations/Equation.ts"
import { grounded, missing, moneyEvidence, tableEvidence } from "./RuleEvidence.ts"
import type { Field } from "./Field.ts"
import { finders } from "./finders/Finders.ts"
import { withLikelyYear } from "./candidates/MisreadYears.ts"
import { withSumOfParts } from "./finders/StackedAmounts.ts"
import { tokensOf } from "./page/PageModel.ts"
import { best, type Ranked, scored } from "./candidates/Ranked.ts"
import { type Reading, readDocument } from "./page/Reading.ts"
import { recentness } from "./candidates/Recent.ts"
import { chooseSums } from "./relations/Sums.ts"
import { sumsInRows } from "./relations/SumsInRows.ts"
import { findTable, type FoundTable } from "./tables/FoundTable.ts"
import { atTill } from "./relations/Till.ts"
import { withoutRivals } from "./candidates/Rivals.ts"

export interface RulesOptions {
  readonly fields: ReadonlyArray<Field>
  /** `subtotal + taxAmount = totalAmount` and the like. */
  readonly relations: ReadonlyArray<string>
  readonly dateOrder?: DateOrder
}

const isRecognised = (reading: Reading, { span }: Candidate): boolean =>
  tokensOf(reading.pages, span).some(({ confidence }) => confidence !== undefined)

/** Everything that could be a field's value, the likeliest first. A date far from today weighs less than any other. */
export const rankedOf = (reading: Reading, field: Field): ReadonlyArray<Ranked> => {
  const ranked = finders[field.finder].find(reading, field)
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
  return finders[field.finder].otherwise ?? missing
}

const columnSums = (tables: ReadonlyMap<string, FoundTable>): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, { items }] of tables) {
    const rows = items.map(({ values }) => values)
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
