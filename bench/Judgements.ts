import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { parse as parseYaml } from "yaml"
import type { FieldEvidence } from "../src/domain/Evidence.ts"
import { doubted, kindDoubt } from "../src/steps/document-kind/KindDoubt.ts"
import { CurrentLexicon } from "../src/steps/extract/lexicon/CurrentLexicon.ts"
import { type Field, fieldOf } from "../src/steps/extract/Field.ts"
import { FieldDefinition } from "../src/steps/extract/FieldDefinition.ts"
import { extractByRules, readByRules } from "../src/steps/extract/Rules.ts"
import type { Features } from "../src/steps/extract/scoring/Scoring.ts"
import type { Example } from "./Examples.ts"

/** A field of an example: what was found, and whether it is right. */
export interface Judgement {
  readonly example: Example
  readonly field: string
  readonly right: boolean
  readonly evidence: FieldEvidence | undefined
}

const Flow = Schema.Struct({
  steps: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      with: Schema.Struct({
        fields: Schema.optionalKey(Schema.Record(Schema.String, FieldDefinition)),
        relations: Schema.optionalKey(Schema.Array(Schema.String))
      })
    })
  )
})

const stepOf = (flow: string) => {
  const file = new URL(`../flows/${flow}/1.1.0.yaml`, import.meta.url)
  const { steps } = Schema.decodeUnknownSync(Flow)(parseYaml(readFileSync(file, "utf8")))
  const step = steps.find(({ id }) => id === "fields")
  return {
    fields: Object.entries(step?.with.fields ?? {}).map(([name, definition]) => fieldOf(name, definition)),
    relations: step?.with.relations ?? []
  }
}

const steps = { invoice: stepOf("invoice"), receipt: stepOf("receipt") }

/** The fields of a shipped flow. */
export const fieldsOf = (flow: Example["flow"]): ReadonlyArray<Field> => steps[flow].fields

const loose = (text: unknown): string =>
  String(text)
    .toUpperCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** A name may have an addition, or a letter or two misread; half of it is wrong. */
const isName = (found: unknown, truth: unknown): boolean => {
  const [a, b] = [loose(found), loose(truth)]
  if (a.length < 4) return false
  return a.includes(b) || (b.includes(a) && a.length >= 0.6 * b.length) || distance(a, b) <= 0.15 * b.length
}

const names: ReadonlySet<string> = new Set(["vendorName", "merchantName", "customerName"])

/** Whether a value is one of the right ones; nothing is right where there are none. */
export const isRight = (field: string, value: unknown, truths: ReadonlyArray<unknown>): boolean =>
  truths.length === 0
    ? value === null || value === undefined
    : truths.some((truth) => {
        if (value === null || value === undefined) return false
        if (typeof truth === "number") return Math.abs(Number(value) - truth) < 0.006
        return names.has(field) ? isName(value, truth) : String(value) === String(truth)
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
