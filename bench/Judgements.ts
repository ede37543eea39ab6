import { hash } from "node:crypto"
import { Effect } from "effect"
import { type FieldEvidence, missing } from "../src/domain/Evidence.ts"
import { doubted, kindDoubt } from "../src/extraction/kinds/KindDoubt.ts"
import { CurrentLexicon } from "../src/extraction/lexicon/CurrentLexicon.ts"
import type { Field } from "../src/extraction/lexicon/Field.ts"
import { extractByRules, readByRules } from "../src/extraction/rules/Rules.ts"
import type { Features } from "../src/extraction/Features.ts"
import { embeddedSource } from "../src/steps/extract/sources/EmbeddedSource.ts"
import { rulesSource } from "../src/steps/extract/sources/RulesSource.ts"
import type { DocumentIR } from "../src/domain/DocumentIR.ts"
import type { Example, Row } from "./Example.ts"
import { isName } from "./LooseNames.ts"
import { type ExtractedFields, shippedFields } from "./ShippedFlow.ts"

/** A field of an example: what was found, and whether it is right. */
export interface Judgement {
  readonly example: Example
  readonly field: string
  readonly right: boolean
  readonly evidence: FieldEvidence | undefined
}

const steps = { invoice: shippedFields("invoice"), receipt: shippedFields("receipt") }

/** The fields of a shipped flow. */
export const fieldsOf = (flow: Example["flow"]): ReadonlyArray<Field> => steps[flow].fields

const names: ReadonlySet<string> = new Set(["vendorName", "merchantName", "customerName"])

/** Whether a value is one of the right ones; nothing is right where there are none. */
export const isRight = (field: string, value: unknown, truths: ReadonlyArray<unknown>): boolean =>
  truths.length === 0
    ? value === null || value === undefined
    : truths.some((truth) => {
        if (value === null || value === undefined) return truth === null
        if (typeof truth === "number") return Math.abs(Number(value) - truth) < 0.006
        return String(value) === String(truth) || (names.has(field) && isName(value, truth))
      })

const context = {
  executionId: "bench",
  path: "fields",
  environment: "test",
  progress: () => Effect.void
} as const

/** What embedded data and rules find together. */
const withEmbedded = Effect.fnUntraced(function* (document: DocumentIR, asked: ExtractedFields) {
  const found = Object.fromEntries(asked.fields.map(({ name }) => [name, missing]))
  const request = { ...asked, document, context, found }
  const embedded = yield* embeddedSource(request)
  return (yield* rulesSource({ ...request, found: embedded.found })).found
})

/** What is found in an example, judged field by field: by rules, in electronic invoices by their data first. */
export const judge = Effect.fnUntraced(function* (example: Example) {
  const { fields } = steps[example.flow]
  const lexicon = yield* CurrentLexicon
  const byRules =
    example.source === "einvoices"
      ? yield* withEmbedded(example.document, steps[example.flow])
      : yield* extractByRules(example.document, steps[example.flow])
  const { otherKind } = kindDoubt(example.document, fields, lexicon)
  const found = otherKind ? doubted(fields, byRules) : byRules
  const judgements = Object.entries(example.truth).map(([field, truths]): Judgement => ({
    example,
    field,
    right: isRight(field, found[field]?.value, truths),
    evidence: found[field]
  }))
  return { judgements, table: found["lineItems"] }
})

const plain = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")

const isCell = (value: unknown, truth: Row[number]): boolean =>
  truth === null ||
  truth === undefined ||
  (typeof truth === "number" ? Math.abs(Number(value) - truth) < 0.006 : plain(value).includes(plain(truth)))

const columns = ["description", "quantity", "unitPrice", "amount"]

/** Which rows of a table are right, compared with those of the truth one by one. */
export const judgeRows = (table: FieldEvidence | undefined, truth: ReadonlyArray<Row>) => {
  const rows = Array.isArray(table?.value) ? table.value : []
  const lines = truth.map((line, i) => ({
    line,
    row: rows[i],
    right: columns.every((column, at) => isCell(rows[i]?.[column], line[at]))
  }))
  return {
    lines,
    rows: rows.length,
    isExact: rows.length === truth.length && lines.every(({ right }) => right)
  }
}

/** Whether a label stays where two fifths of them are taken away; always in variant 0. */
const stays = (label: string, variant: number): boolean =>
  variant === 0 || parseInt(hash("sha256", `${variant} ${label}`).slice(0, 8), 16) % 5 >= 2

/** A field with two fifths of its labels taken away, others in every variant; all stay in variant 0. */
export const withFewerLabels = (field: Field, variant: number): Field => ({
  ...field,
  labels: field.labels.filter((label) => stays(label, variant)),
  weak: field.weak.filter((label) => stays(label, variant)),
  not: field.not.filter((label) => stays(label, variant))
})

/** A value that was found, with the features of its confidence. */
export interface ObservedField {
  readonly field: Field
  readonly features: Features
  readonly confidence: number
  readonly right: boolean
}

/** A number takes labels away, 0 none; `own` makes fields of the flow's own, as authors write them. */
export type Variant = number | "own"

const asOwn = (field: Field): Field => {
  const { preset: _, ...own } = field
  return field.finder === "label" && !field.pointOfSale ? own : field
}

/** The values that the rules find in a variant of an example. */
export const observe = Effect.fnUntraced(function* (example: Example, variant: Variant) {
  const { fields, relations } = steps[example.flow]
  const own = fields.map((field) => (variant === "own" ? asOwn(field) : withFewerLabels(field, variant)))
  const { chosen, found } = yield* readByRules(example.document, { fields: own, relations })
  // A document of another kind has a currency all the same.
  const isOther = Object.values(example.truth).every((truths) => truths.length === 0)
  return fields.flatMap((field): ReadonlyArray<ObservedField> => {
    const [known, truths] = [chosen.get(field.name), example.truth[field.name]]
    if (known === undefined || truths === undefined || (isOther && field.type === "currency")) return []
    const { confidence = 0, value } = found[field.name] ?? {}
    // What was too unlikely to be given counts all the same.
    const right = isRight(field.name, value ?? known.value, truths)
    return [{ field, features: known.features, confidence, right }]
  })
})
