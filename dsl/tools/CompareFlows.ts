import { Duration, Option, Predicate } from "effect"
import { canonicalJson } from "../../src/support/CanonicalJson.ts"
import type { CheckedFlow } from "../model/CheckedFlow.ts"
import { type Bump, type Change, compareTypes } from "./CompareTypes.ts"
import type { FlowDefinition } from "../model/FlowDefinition.ts"
import { fromJsonSchema } from "../types/TypeFromJsonSchema.ts"
import { variablesType } from "../model/VariablesType.ts"
import { parseDuration } from "../model/Words.ts"

/** Everything in which a draft differs from a published version, except the version itself. */
export const compareFlows = (published: CheckedFlow, draft: CheckedFlow): ReadonlyArray<Change> => {
  const [before, after] = [published.definition, draft.definition]
  const seen = [
    ...compareTypes(
      fromJsonSchema(published.outputSchema, { closed: true }),
      fromJsonSchema(draft.outputSchema, { closed: true }),
      "output",
      "output"
    ),
    ...compareTypes(variablesType(before), variablesType(after), "input", "variables"),
    ...compareRules(before, after),
    ...compareFormats(before, after),
    ...compareLimits(before, after)
  ]
  return [...seen, ...compareRest(before, after)]
}

const rules = (name: string, bump: Bump, left: unknown, right: unknown): ReadonlyArray<Change> =>
  canonicalJson(left ?? null) === canonicalJson(right ?? null)
    ? []
    : [{ bump, reason: `${name}: other patterns, ranges or defaults` }]

/** Compares what JSON Schemas say beyond types: patterns, ranges, defaults. */
const compareRules = (before: FlowDefinition, after: FlowDefinition): ReadonlyArray<Change> => {
  return [
    ...rules("output", "minor", rulesOf(before.output.schema), rulesOf(after.output.schema)),
    ...rules("variables", "major", rulesOf(before.variables), rulesOf(after.variables))
  ]
}

const ruleKeys = new Set(
  `pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems
  uniqueItems minProperties maxProperties default`.split(/\s+/u)
)

/** The rules of the fields that a schema lists, by the path of each; those of new and removed fields do not count. */
const rulesOf = (schema: unknown, path = ""): { readonly [place: string]: unknown } => {
  if (!Predicate.isObject(schema)) return {}
  const entries = Object.entries(schema)
  const own = entries.filter(([key]) => ruleKeys.has(key)).map(([key, value]) => [`${path} ${key}`, value])
  const properties = Predicate.hasProperty(schema, "properties") ? schema.properties : undefined
  const fields = Predicate.isObject(properties) ? Object.entries(properties) : []
  const items = Predicate.hasProperty(schema, "items") ? [rulesOf(schema.items, `${path}[]`)] : []
  return Object.assign(
    Object.fromEntries(own),
    ...items,
    ...fields.map(([name, field]) => rulesOf(field, `${path}.${name}`))
  )
}

const compareFormats = (before: FlowDefinition, after: FlowDefinition): ReadonlyArray<Change> => {
  const [old, now] = [before.document.formats, after.document.formats]
  return [
    ...old
      .filter((format) => !now.includes(format))
      .map((format): Change => ({ bump: "major", reason: `the format ${format} is no longer accepted` })),
    ...now
      .filter((format) => !old.includes(format))
      .map((format): Change => ({ bump: "minor", reason: `the format ${format} is accepted` }))
  ]
}

const plans = ["free", "pro", "enterprise"]

const limit = (name: string, old = Infinity, now = Infinity): ReadonlyArray<Change> => {
  if (old === now) return []
  return [
    now < old ? { bump: "major", reason: `${name} is lower` } : { bump: "minor", reason: `${name} is higher` }
  ]
}

/** A flow that requires a higher plan can be used by fewer organizations. */
const rank = ({ requires }: FlowDefinition) => -plans.indexOf(requires?.plan ?? "free")

const compareLimits = (before: FlowDefinition, after: FlowDefinition): ReadonlyArray<Change> => {
  return [
    ...limit("document.maxFileSizeMB", before.document.maxFileSizeMB, after.document.maxFileSizeMB),
    ...limit("document.maxPages", before.document.maxPages, after.document.maxPages),
    ...limit("maxCredits", before.maxCredits, after.maxCredits),
    ...limit("timeout", millis(before.timeout), millis(after.timeout)),
    ...limit("the number of plans that may use it", rank(before), rank(after)),
    ...compareCosts(before, after)
  ]
}

const compareCosts = ({ credits: before }: FlowDefinition, { credits: after }: FlowDefinition) =>
  (["perPage", "base"] as const).flatMap((name): ReadonlyArray<Change> => {
    if (before[name] === after[name]) return []
    const isHigher = after[name] > before[name]
    return [{ bump: "minor", reason: `credits.${name} is ${isHigher ? "higher" : "lower"}` }]
  })

const millis = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Option.getOrUndefined(Option.map(parseDuration(text), Duration.toMillis))

const unseen = ["name", "description", "steps"] as const

const compareRest = (before: FlowDefinition, after: FlowDefinition): ReadonlyArray<Change> => {
  const found = unseen
    .filter((key) => canonicalJson(before[key]) !== canonicalJson(after[key]))
    .map((key): Change => ({ bump: "patch", reason: `${key} changed` }))
  const outputs = canonicalJson(before.output) === canonicalJson(after.output)
  return outputs
    ? found
    : [...found, { bump: "patch", reason: "output is computed or described differently" }]
}
