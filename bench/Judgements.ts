import { hash } from "node:crypto"
import { Effect } from "effect"
import type { FieldEvidence } from "../src/domain/Evidence.ts"
import { doubted, kindDoubt } from "../src/steps/document-kind/KindDoubt.ts"
import { CurrentLexicon } from "../src/steps/extract/lexicon/CurrentLexicon.ts"
import type { Field } from "../src/steps/extract/Field.ts"
import { extractByRules, readByRules } from "../src/steps/extract/Rules.ts"
import type { Features } from "../src/steps/extract/scoring/Scoring.ts"
import type { Example } from "./Examples.ts"
import { isName } from "./LooseNames.ts"
import { shippedFields } from "./ShippedFlow.ts"

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

/** What the rules find in an example, judged field by field; line items are evaluated by `bench/extraction.ts`. */
export const judge = Effect.fnUntraced(function* (example: Example) {
  const { fields } = steps[example.flow]
  const lexicon = yield* CurrentLexicon
  const byRules = yield* extractByRules(example.document, steps[example.flow])
  const { otherKind } = kindDoubt(example.document, fields, lexicon)
  const found = otherKind ? doubted(fields, byRules) : byRules
  return Object.entries(example.truth).map(([field, truths]): Judgement => ({
    example,
    field,
    right: isRight(field, found[field]?.value, truths),
    evidence: found[field]
  }))
})

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
  readonly right: boolean
}

/** The values that the rules find in an example, with some labels taken away in every variant but 0. */
export const observe = Effect.fnUntraced(function* (example: Example, variant: number) {
  const { fields, relations } = steps[example.flow]
  const own = fields.map((field) => withFewerLabels(field, variant))
  const { features, found } = yield* readByRules(example.document, { fields: own, relations })
  return fields.flatMap((field): ReadonlyArray<ObservedField> => {
    const [known, truths] = [features.get(field.name), example.truth[field.name]]
    if (known === undefined || truths === undefined) return []
    return [{ field, features: known, right: isRight(field.name, found[field.name]?.value, truths) }]
  })
})
