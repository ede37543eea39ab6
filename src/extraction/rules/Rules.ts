import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { type FieldEvidence, missing } from "../../domain/Evidence.ts"
import { Effect, Context } from "effect"
import { withoutCreditSign } from "../sums/CreditNote.ts"
import type { DateOrder } from "../values/Dates.ts"
import { grounded, moneyEvidence, tableEvidence } from "./RuleEvidence.ts"
import { kindMisfit } from "../kinds/KindDoubt.ts"
import type { Field } from "../lexicon/Field.ts"
import { finders } from "../names/Finders.ts"
import { type Ranked, withoutRivals } from "../candidates/Ranked.ts"
import { type Reading, readDocument } from "../layout/Reading.ts"
import { type DocumentSums, documentSums } from "../sums/DocumentSums.ts"
import {
  doubtedTax,
  taxAboveRate,
  type Violation,
  violationsOf,
  verdictByRelation
} from "../sums/RelationVerdicts.ts"
import { findTable, type FoundTable } from "../tables/FoundTable.ts"
import { sumLabelsOf } from "../tables/ReadLines.ts"
import { leftToPay } from "../sums/PrintedSums.ts"
import { type FinalEvidence, finalEvidence, type Settled } from "../features/FinalEvidence.ts"
import { reasonOfMissing } from "../features/PrintedLabel.ts"
import { reasonOf } from "../features/Confidence.ts"
import type { Features } from "../Features.ts"
import { knownKind, rememberKind } from "../kinds/DocumentKind.ts"

interface RulesOptions {
  readonly fields: ReadonlyArray<Field>
  /** `subtotal + taxAmount = totalAmount` and the like. */
  readonly relations: ReadonlyArray<string>
  readonly dateOrder?: DateOrder
  /** Today, as an ISO date. Default: that of the clock. */
  readonly today?: string
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

/** What was found for each field before anything is chosen. */
interface Candidates {
  /** The candidates for its value, the most likely first. */
  readonly ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
  readonly tables: ReadonlyMap<string, FoundTable>
}

const candidatesOf = Effect.fnUntraced(function* (
  reading: Reading,
  fields: ReadonlyArray<Field>
): Effect.fn.Return<Candidates> {
  const sumLabels = sumLabelsOf(reading, fields)
  const tables = new Map<string, FoundTable>()
  const ranked = new Map<string, ReadonlyArray<Ranked>>()
  for (const field of fields) {
    yield* Effect.yieldNow
    const table = field.type === "table" ? yield* findTable(reading, field, sumLabels) : undefined
    if (table !== undefined) tables.set(field.name, table)
    else if (field.type !== "table") ranked.set(field.name, finders[field.finder].find(reading, field))
  }
  return { ranked, tables }
})

/** The choice for each field: an amount of the sums, the best candidate of any other. */
const settledOf = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  { chosen: amounts, ranked: all }: DocumentSums
): ReadonlyMap<string, Settled> => {
  const free = withoutRivals(fields, all)
  return new Map(
    fields.flatMap((field): ReadonlyArray<readonly [string, Settled]> => {
      const { finder, name, type } = field
      if (type === "table") return []
      if (type === "money") {
        const [ranked, chosen] = [all.get(name) ?? [], amounts.get(name)]
        return [[name, { evidence: moneyEvidence(reading, chosen, ranked), ranked, chosen }]]
      }
      const ranked = free.get(name) ?? []
      const evidence = ranked.length > 0 ? grounded(reading, ranked) : (finders[finder].otherwise ?? missing)
      return [[name, { evidence, ranked, chosen: ranked[0] }]]
    })
  )
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

/** What everything that was chosen says together: sums that do not hold, tables by their relations, reasons for review. */
const verdictsOf = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  tables: Candidates["tables"],
  { chosen: amounts, columns, equations, isExplained }: DocumentSums,
  settled: ReadonlyMap<string, Settled>,
  { evidence, features }: FinalEvidence
): RulesResult => {
  const values = fields.flatMap(({ name, type }) => {
    const value = type === "money" ? evidence.get(name)?.value : undefined
    return typeof value === "number" ? [[name, value] as const] : []
  })
  const violations = violationsOf(equations, new Map(values), columns, isExplained)
  const reasons = new Map(
    fields.flatMap((field) => {
      const reason =
        evidence.get(field.name)?.status === "missing"
          ? reasonOfMissing(reading, field)
          : reasonOf(field, features.get(field.name) ?? {}, settled.get(field.name))
      return reason === undefined ? [] : [[field.name, reason] as const]
    })
  )
  const above = taxAboveRate(reading, fields, amounts, evidence)
  if (above !== undefined) reasons.set(above.field, above.warning)
  const hasBareAddend = fields.some(
    ({ adds, name }) => adds && isBare(settled.get(name)?.chosen, features.get(name))
  )
  const found = fields.map(({ name, type }): [string, FieldEvidence] => {
    const own = evidence.get(name) ?? missing
    if (name === above?.field) return [name, { ...own, confidence: Math.min(doubtedTax, own.confidence) }]
    if (type !== "table") return [name, own]
    const table = tables.get(name)
    if (table === undefined) return [name, missing]
    const { quality, reason } = verdictByRelation(name, table, equations, {
      evidence,
      columns,
      hasBareAddend,
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
}

/**
 * Finds the fields of a document by rules, in five passes: the layout with its labels, dates and amounts; candidates and tables;
 * the amounts that make the sums hold; the confidence in what was chosen; and what all of it says together. Yields between
 * pages, fields and passes.
 */
export const readByRules = Effect.fnUntraced(function* (
  document: DocumentIR,
  { dateOrder, fields, relations, today }: RulesOptions
): Effect.fn.Return<RulesResult> {
  const reading = yield* readDocument(document, fields, dateOrder, today)
  const { ranked, tables } = yield* candidatesOf(reading, fields)
  yield* Effect.yieldNow
  const sums = documentSums(reading, fields, relations, ranked, tables)
  yield* Effect.yieldNow
  const settled = settledOf(reading, fields, sums)
  yield* Effect.yieldNow
  const misfit = kindMisfit(reading, fields)
  const kind = knownKind(reading)
  if (kind !== undefined) rememberKind(document, kind)
  yield* Effect.yieldNow
  const final = finalEvidence(reading, settled, fields, {
    misfit,
    placeOf: (other) => grounded(reading, [other])
  })
  return verdictsOf(reading, fields, tables, sums, settled, final)
})

/** The evidence of `readByRules` alone. */
export const extractByRules = (
  document: DocumentIR,
  options: RulesOptions
): Effect.Effect<Record<string, FieldEvidence>> =>
  Effect.map(readByRules(document, options), ({ found }) => found)

/** Reads a document by rules. */
export type ReadByRules = (document: DocumentIR, options: RulesOptions) => Effect.Effect<RulesResult>

/** Where steps read documents by rules: on the event loop, unless a layer has threads for it. */
export const RulesReader = Context.Reference<ReadByRules>("docflow/steps/RulesReader", {
  defaultValue: () => readByRules
})
