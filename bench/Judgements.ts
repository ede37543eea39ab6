import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { parse as parseYaml } from "yaml"
import type { FieldEvidence } from "../src/domain/Evidence.ts"
import { fieldOf } from "../src/steps/extract/Field.ts"
import { FieldDefinition } from "../src/steps/extract/FieldDefinition.ts"
import { extractByRules } from "../src/steps/extract/Rules.ts"
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

const isRight = (field: string, value: unknown, truths: ReadonlyArray<unknown>): boolean =>
  truths.length === 0
    ? value === null || value === undefined
    : truths.some((truth) => {
        if (value === null || value === undefined) return false
        if (typeof truth === "number") return Math.abs(Number(value) - truth) < 0.006
        return names.has(field) ? isName(value, truth) : String(value) === String(truth)
      })

/** What the rules find in an example, judged field by field; line items are judged by `bench/extraction.ts`. */
export const judge = Effect.fnUntraced(function* (example: Example) {
  const found = yield* extractByRules(example.document, steps[example.flow])
  return Object.entries(example.truth).map(([field, truths]): Judgement => ({
    example,
    field,
    right: isRight(field, found[field]?.value, truths),
    evidence: found[field]
  }))
})
