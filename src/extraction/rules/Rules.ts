import { hundredths } from "../../support/Cents.ts"
import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { type FieldEvidence, missing } from "../../domain/Evidence.ts"
import { Effect } from "effect"
import { withoutCreditSign } from "../sums/CreditNote.ts"
import type { DateOrder } from "../values/Dates.ts"
import { parseEquation } from "../sums/Equation.ts"
import { grounded, moneyEvidence, tableEvidence } from "./RuleEvidence.ts"
import { kindMisfit, rememberKind } from "../kinds/KindDoubt.ts"
import type { Field } from "../lexicon/Field.ts"
import { finders } from "../names/Finders.ts"
import { withSumOfParts } from "../names/StackedAmounts.ts"
import { best, type Ranked, withoutRivals } from "../candidates/Ranked.ts"
import { columnsOfNet, includedTax } from "../sums/IncludedTax.ts"
import { adjustmentRows, isAdjusted, isChargedBelow } from "../sums/Adjustments.ts"
import { readDocument, type Reading } from "../layout/Reading.ts"
import { chooseSums, type Chosen } from "../sums/Sums.ts"
import { doubtedTax, taxAboveRate, type Violation, violationsOf } from "../sums/Violations.ts"
import { findTable, type FoundTable } from "../tables/FoundTable.ts"
import { sumLabelsOf } from "../tables/SumLabels.ts"
import { verdictByRelation } from "../sums/TableRelation.ts"
import { leftToPay, withPrintedSums } from "../sums/PrintedSums.ts"
import { withBreakdownSums } from "../sums/BreakdownSums.ts"
import { withPoint } from "../candidates/AmountSizes.ts"
import { withoutUnprintedTax } from "../sums/UntaxedTotals.ts"
import { finalEvidence, type Settled } from "../features/FinalEvidence.ts"
import { reasonOfMissing } from "../features/PrintedLabel.ts"
import { reasonOf } from "../features/Confidence.ts"
import type { Features } from "../Features.ts"
import { knownKindOf } from "../kinds/DocumentKind.ts"

export interface RulesOptions {
  readonly fields: ReadonlyArray<Field>
  /** `subtotal + taxAmount = totalAmount` and the like. */
  readonly relations: ReadonlyArray<string>
  readonly dateOrder?: DateOrder
  /** Today, as an ISO date. Default: that of the clock. */
  readonly today?: string
}

/** The candidates for a field's value, the most likely first. */
const rankedOf = (reading: Reading, field: Field): ReadonlyArray<Ranked> =>
  finders[field.finder].find(reading, field)

const isNumber = (ranked: Ranked): ranked is Ranked<number> => typeof ranked.value === "number"

const amountsOf = (ranked: ReadonlyArray<Ranked>, adds: boolean): ReadonlyArray<Ranked<number>> => {
  const amounts = ranked.filter(isNumber)
  return adds ? withSumOfParts(amounts) : amounts
}

/** From this quality on, a number is rather an amount. */
const likelyAmount = 0.7

const columnSums = (tables: ReadonlyMap<string, FoundTable>): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, { items }] of tables) {
    const rows = items.map(({ values }) => values)
    for (const column of Object.keys(rows[0] ?? {})) {
      const values = rows.map((row) => row[column])
      if (!values.every((value) => typeof value === "number")) continue
      sums.set(`${name}.${column}`, hundredths(values.reduce((sum, value) => sum + value, 0)))
    }
  }
  return sums
}

/** The result of rules: evidence and doubt features by field, and the violated relations. */
export interface RulesResult {
  readonly found: Record<string, FieldEvidence>
  readonly violations: ReadonlyArray<Violation>
  /** Alternative values of fields, for a person to choose from; the best first. */
  readonly alternatives: ReadonlyMap<string, ReadonlyArray<unknown>>
  /** What was chosen for each field, also where it is too unlikely to be given, and the features behind its confidence. */
  readonly chosen: ReadonlyMap<string, { readonly features: Features; readonly value: unknown }>
  /** What a person should know of the sums: less is left to pay than the total, a tax is not its rate. */
  readonly warnings: ReadonlyArray<string>
  /** Why a value or a table is in doubt, in a sentence, by field. */
  readonly reasons: ReadonlyMap<string, string>
}

const settle = (
  reading: Reading,
  field: Field,
  ranked: ReadonlyArray<Ranked>,
  sum: Chosen | undefined
): Settled => {
  if (field.type === "money") {
    const chosen = field.pointOfSale && sum !== undefined ? withPoint(reading, sum) : sum
    return { evidence: moneyEvidence(reading, chosen, ranked), ranked, chosen }
  }
  const evidence =
    ranked.length > 0 ? grounded(reading, ranked) : (finders[field.finder].otherwise ?? missing)
  return { evidence, ranked, chosen: ranked[0] }
}

/** A table whose column does not add up as a relation says is never sure. */
const tableBreaks = (name: string, violations: ReadonlyArray<Violation>): boolean =>
  violations.some(({ equation }) =>
    equation.terms.some(({ column, field }) => field === name && column !== undefined)
  )

const brokenTable = 0.7

/** Whether an amount has neither a label of its own nor a printed rate that leads to it, whether it is given or not. */
const isBare = (chosen: Ranked | undefined, features: Features = {}): boolean =>
  typeof chosen?.value === "number" &&
  chosen.value !== 0 &&
  features.exactLabel !== 1 &&
  features.byRate !== 1 &&
  features.computed !== 1

/**
 * Finds the fields of a document by rules: every label and every value on every page, scored by how well they fit
 * together, then chosen so that the sums add up. Yields between pages and fields.
 */
export const readByRules = Effect.fnUntraced(function* (
  document: DocumentIR,
  options: RulesOptions
): Effect.fn.Return<RulesResult> {
  const { fields } = options
  const reading = yield* readDocument(document, fields, options.dateOrder, options.today)
  const moneyFields = new Set(fields.filter(({ type }) => type === "money").map(({ name }) => name))
  const sumLabels = sumLabelsOf(reading, fields)
  const tables = new Map<string, FoundTable>()
  const ranked = new Map<string, ReadonlyArray<Ranked>>()
  for (const field of fields) {
    yield* Effect.yieldNow
    const table = field.type === "table" ? yield* findTable(reading, field, sumLabels) : undefined
    if (table !== undefined) tables.set(field.name, table)
    else if (field.type !== "table") ranked.set(field.name, rankedOf(reading, field))
  }
  yield* Effect.yieldNow
  const equations = options.relations.flatMap((text) => parseEquation(text) ?? [])
  const onTop = new Set(fields.filter(({ adds }) => adds).map(({ name }) => name))
  const ofTotals = withPrintedSums(reading, fields, withBreakdownSums(reading, equations, onTop, ranked))
  const amounts = new Map(
    fields.flatMap(({ name, type, adds }) =>
      type === "money" ? [[name, amountsOf(ofTotals.get(name) ?? [], adds)] as const] : []
    )
  )
  const printed = reading.money.flatMap(({ quality, value }) => (quality >= likelyAmount ? [value] : []))
  const included = includedTax(equations, onTop, amounts, printed)
  const columns = columnsOfNet(columnSums(tables), included)
  for (const [name, amount] of included) amounts.set(name, best([...(amounts.get(name) ?? []), amount]))
  const between = adjustmentRows(reading, moneyFields)
  const chosen = chooseSums(equations, {
    ranked: amounts,
    columns,
    money: reading.money,
    moneyByRow: between,
    onTop
  })
  const sums = withoutUnprintedTax(reading, equations, onTop, amounts, chosen, columns)
  yield* Effect.yieldNow
  const free = withoutRivals(fields, ranked)
  const settled = new Map(
    fields.flatMap((field) => {
      const candidates = field.type === "money" ? ofTotals.get(field.name) : free.get(field.name)
      return field.type === "table"
        ? []
        : [[field.name, settle(reading, field, candidates ?? [], sums.get(field.name))] as const]
    })
  )
  yield* Effect.yieldNow
  const misfit = kindMisfit(reading, fields)
  yield* Effect.yieldNow
  const { evidence, features } = finalEvidence(reading, settled, fields, {
    misfit,
    placeOf: (other) => grounded(reading, [other])
  })
  const kind = knownKindOf(reading)
  if (kind !== undefined) rememberKind(document, reading.lexicon, kind)
  const values = [...evidence].flatMap(([name, { value }]) =>
    moneyFields.has(name) && typeof value === "number" ? [[name, value] as const] : []
  )
  const violations = violationsOf(
    equations,
    new Map(values),
    columns,
    (equation) =>
      isAdjusted(equation, sums, between, amounts) ||
      isChargedBelow(equation, sums, columns, amounts, between)
  )
  const reasons = new Map(
    fields.flatMap((field) => {
      const isMissing = evidence.get(field.name)?.status === "missing"
      const reason = isMissing
        ? reasonOfMissing(reading, field)
        : reasonOf(field, features.get(field.name) ?? {}, settled.get(field.name))
      return reason === undefined ? [] : [[field.name, reason] as const]
    })
  )
  const above = taxAboveRate(reading, fields, sums, evidence)
  if (above !== undefined) reasons.set(above.field, above.warning)
  const found = fields.map(({ name, type }): [string, FieldEvidence] => {
    const own = evidence.get(name) ?? missing
    if (name === above?.field) return [name, { ...own, confidence: Math.min(doubtedTax, own.confidence) }]
    if (type !== "table") return [name, own]
    const table = tables.get(name)
    if (table === undefined) return [name, missing]
    const { quality, reason } = verdictByRelation(name, table, equations, {
      evidence,
      columns,
      hasBareAddend: fields.some(
        ({ adds, name }) => adds && isBare(settled.get(name)?.chosen, features.get(name))
      ),
      chosen: (field) => settled.get(field)?.chosen
    })
    if (reason !== undefined) reasons.set(name, reason)
    const limited = tableBreaks(name, violations) ? Math.min(brokenTable, quality) : quality
    return [name, tableEvidence(reading, { ...table, quality: limited })]
  })
  return {
    found: withoutCreditSign(fields, Object.fromEntries(found), reading),
    violations,
    alternatives: new Map(
      [...settled].map(([name, { chosen, ranked: all }]) => [
        name,
        all.filter(({ score, value }) => value !== chosen?.value && score >= 0.3).map(({ value }) => value)
      ])
    ),
    chosen: new Map(
      [...features].map(([name, own]) => [name, { features: own, value: settled.get(name)?.chosen?.value }])
    ),
    warnings: [...(above === undefined ? [] : [above.warning]), ...leftToPay(reading, fields, evidence)],
    reasons
  }
})

/** The evidence of `readByRules` alone. */
export const extractByRules = (
  document: DocumentIR,
  options: RulesOptions
): Effect.Effect<Record<string, FieldEvidence>> =>
  Effect.map(readByRules(document, options), ({ found }) => found)
