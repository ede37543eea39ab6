import { Effect, type JsonSchema, Predicate, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { FieldEvidence } from "../domain/Evidence.ts"
import {
  type Candidate,
  candidatesOf,
  type CombineSource,
  nothingOf,
  strongest
} from "./combine/CombineCandidates.ts"
import { defined } from "../support/Defined.ts"
import { confidenceOf, surest } from "./combine/Support.ts"

const evidence: JsonSchema.JsonSchema = Schema.toJsonSchemaDocument(FieldEvidence).schema

const alternatives: JsonSchema.JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["value", "votes"],
    properties: { value: {}, votes: { type: "integer" } }
  }
}

/**
 * The fields of all sources with their types; those that every source has for certain; and whether there may be more than
 * the checker could tell.
 */
const fieldsOf = (config: unknown, properties: unknown) => {
  const from = Predicate.hasProperty(properties, "from") ? properties.from : undefined
  const items = Predicate.hasProperty(from, "items") ? from.items : undefined
  const sources = Predicate.hasProperty(items, "anyOf") && Array.isArray(items.anyOf) ? items.anyOf : [items]
  const fields = new Map<string, Array<unknown>>()
  const counts = new Map<string, number>()
  let isOpen = false
  for (const source of sources) {
    if (Predicate.hasProperty(source, "type") && source.type === "null") continue
    for (const name of requiredOf(source)) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (!Predicate.hasProperty(source, "properties") || !Predicate.isObject(source.properties)) isOpen = true
    else
      for (const [name, schema] of Object.entries(source.properties))
        fields.set(name, [...(fields.get(name) ?? []), schema])
  }
  // It is unknown whether the array of an expression has any elements.
  const isWritten =
    Predicate.hasProperty(config, "from") && Array.isArray(config.from) && config.from.length > 0
  const certain = isWritten ? [...counts].filter(([, count]) => count === sources.length) : []
  return { fields, certain: certain.map(([name]) => name), isOpen }
}

const requiredOf = (source: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(source, "required") && Array.isArray(source.required)
    ? source.required.filter(Predicate.isString)
    : []

/**
 * The JSON Schema of the output of `combine`: every field that a source may have, with the types of all sources, or
 * null.
 */
const outputType = (config: unknown, type: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { certain, fields, isOpen } = fieldsOf(config, type["properties"])
  const of = (make: (schemas: ReadonlyArray<unknown>) => unknown, required: boolean) => ({
    type: "object",
    required: required ? certain : [],
    properties: Object.fromEntries([...fields].map(([name, schemas]) => [name, make(schemas)])),
    additionalProperties: isOpen
  })
  const hasEvidence = Predicate.hasProperty(config, "fields")
  return {
    type: "object",
    required: ["values", "votes", "disputed", "fields", "alternatives"],
    properties: {
      values: of((schemas) => ({ anyOf: [...schemas, { type: "null" }] }), true),
      votes: of(() => ({ type: "integer" }), true),
      disputed: { type: "array", items: { type: "string" } },
      fields: hasEvidence ? of(() => evidence, true) : { type: "object" },
      alternatives: of(() => alternatives, false)
    }
  }
}

/** The ways to choose among the values that sources have for a field. */
const ways = ["merge", "vote", "unanimous", "best", "consensus"] as const

/** How a value is chosen. `sources` is how many there are, those that found nothing included. */
interface Choice {
  readonly by: (typeof ways)[number]
  readonly sources: number
  readonly atLeast?: number
}

/** Of equals the first. */
const highest = (
  candidates: ReadonlyArray<Candidate>,
  of: (candidate: Candidate) => number
): Candidate | undefined =>
  candidates.reduce<Candidate | undefined>(
    (best, next) => (best === undefined || of(next) > of(best) ? next : best),
    undefined
  )

const votes = ({ votes }: Candidate): number => votes.length

/** The chosen candidate, if any may be. */
const choose = (
  candidates: ReadonlyArray<Candidate>,
  { atLeast, by, sources }: Choice
): Candidate | undefined => {
  const most = highest(candidates, votes)
  const enough = (needed: number) => (most !== undefined && most.votes.length >= needed ? most : undefined)
  switch (by) {
    case "merge":
      return candidates[0]
    case "vote":
      return most
    case "best":
      return highest(candidates, surest)
    case "unanimous":
      return enough(sources)
    case "consensus":
      return enough(atLeast ?? Math.floor(sources / 2) + 1)
  }
}

/**
 * The evidence for a value that was chosen: the place of the best founded source that has it, and a confidence that the
 * agreement of the sources raises and other values lower.
 */
const combinedEvidence = (
  value: unknown,
  chosen: Candidate | undefined,
  all: ReadonlyArray<Candidate>
): FieldEvidence => {
  if (chosen === undefined) return { value, confidence: 0, status: "missing" }
  const place = strongest(chosen.votes)?.evidence ?? { status: "inferred" as const }
  return { ...place, value, confidence: confidenceOf(chosen, all) }
}

const Values = Schema.Record(Schema.String, Schema.Unknown)
const Evidence = Schema.Record(Schema.String, FieldEvidence)

/** The configuration of a `combine` step. */
export const CombineConfig = Schema.Struct({
  from: Schema.Array(Schema.NullOr(Values))
    .check(Schema.isMinLength(1, { message: "At least one source is required." }))
    .annotate({
      description:
        "Sources, the most trusted first: usually `${{ steps.<id>.values }}` of several `extract` steps. A source that is null, because its step failed, has no vote."
    }),
  fields: Schema.optionalKey(
    Schema.Array(Schema.NullOr(Evidence)).annotate({
      description:
        "Evidence of the sources, `${{ steps.<id>.fields }}`, in the order of `from`. With it, the combined values keep their bounding boxes, and agreement raises their confidence."
    })
  ),
  by: Schema.Literals(ways).annotate({
    description:
      "How to choose the value of each field. `merge`: the first value that is not null. `vote`: the most frequent value, the first one on a tie. `unanimous`: a value that all sources share. `consensus`: a value that `atLeast` sources share. `best`: the value with the highest confidence in `fields`."
  }),
  atLeast: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
      description: "Number of sources that must agree for `consensus`. Default: more than half."
    })
  )
})

const Alternative = Schema.Struct({ value: Schema.Unknown, votes: Schema.Int })

/** The output of a `combine` step: the values, and for each the number of sources that have it. */
export const CombineOutput = Schema.Struct({
  values: Values.annotate({ description: "The chosen value of each field; null if none was chosen." }),
  votes: Schema.Record(Schema.String, Schema.Int).annotate({
    description: "Number of sources that have the chosen value, for each field."
  }),
  disputed: Schema.Array(Schema.String).annotate({
    description: "Fields with different values in the sources."
  }),
  fields: Evidence.annotate({ description: "Evidence for each value, if `fields` was given." }),
  alternatives: Schema.Record(Schema.String, Schema.Array(Alternative)).annotate({
    description:
      "Values of the sources for the fields in `disputed`, in the order of the sources, each with its votes."
  })
})

/** The evidence for `combine` does not match its sources. */
export class EvidenceMismatch extends Schema.TaggedError<EvidenceMismatch>()("EvidenceMismatch", {
  message: Schema.String
}) {}

const noEvidence = "To take the surest value, `combine` needs the evidence of its sources in `fields`."

const problems = (config: unknown): ReadonlyArray<StepKind.ConfigProblem> =>
  Predicate.hasProperty(config, "by") && config.by === "best" && !Predicate.hasProperty(config, "fields")
    ? [{ path: ["by"], message: noEvidence }]
    : []

const mismatchOf = ({ by, fields, from }: typeof CombineConfig.Type): string | undefined => {
  if (fields === undefined) return by === "best" ? noEvidence : undefined
  return fields.length === from.length
    ? undefined
    : `\`combine\` has ${from.length} sources and the evidence of ${fields.length}.`
}

const combined = (config: typeof CombineConfig.Type): typeof CombineOutput.Type => {
  const { from, by, atLeast } = config
  const sources = from.map((values, index): CombineSource => ({
    values: values ?? {},
    fields: config.fields?.[index] ?? {}
  }))
  const choice = { by, sources: sources.length, ...defined({ atLeast }) }
  const names = [...new Set(sources.flatMap(({ values }) => Object.keys(values)))]
  const results = names.map((name) => {
    const candidates = candidatesOf(name, sources)
    const chosen = choose(candidates, choice)
    const value = chosen === undefined ? nothingOf(name, sources) : chosen.value
    return { name, candidates, chosen, value }
  })
  const disputed = results.filter(({ candidates }) => candidates.length > 1)
  return {
    values: Object.fromEntries(results.map(({ name, value }) => [name, value])),
    votes: Object.fromEntries(results.map(({ chosen, name }) => [name, chosen?.votes.length ?? 0])),
    disputed: disputed.map(({ name }) => name),
    fields:
      config.fields === undefined
        ? {}
        : Object.fromEntries(
            results.map(({ candidates, chosen, name, value }) => [
              name,
              combinedEvidence(value, chosen, candidates)
            ])
          ),
    alternatives: Object.fromEntries(
      disputed.map(({ candidates, name }) => [
        name,
        candidates.map(({ value, votes }) => ({ value, votes: votes.length }))
      ])
    )
  }
}

/** The step kind `combine`: merges several sets of values into one. */
export const combine = StepKind.make("combine", {
  description:
    "Combine several sets of values into one, field by field: by trust, vote, consensus or confidence. Strings that differ only in case or white space, and numbers that are equal to two decimals, count as the same value. A source without a value has no vote.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- { id: rules, uses: extract, with: { document: "\${{ steps.read.document }}", using: [rules], fields: { total: { preset: invoice.totalAmount } } } }
- { id: data, uses: extract, with: { document: "\${{ steps.read.document }}", using: [embedded], fields: { total: { preset: invoice.totalAmount } } } }
- id: both
  uses: combine
  with: { from: ["\${{ steps.data.values }}", "\${{ steps.rules.values }}"], by: merge }`,
  config: CombineConfig,
  output: CombineOutput,
  errors: {},
  onlyComputes: true,
  problems,
  outputType,
  run: (config) =>
    Effect.suspend(() => {
      const mismatch = mismatchOf(config)
      return mismatch === undefined
        ? Effect.succeed(combined(config))
        : Effect.fail(new EvidenceMismatch({ message: mismatch }))
    })
})
