import { Duration, Option, Order, Predicate, Result, SemVer } from "effect"
import type { CheckedFlow } from "../model/CheckedFlow.ts"
import { type Bump, type Change, compareTypes } from "./CompareTypes.ts"
import type { FlowDefinition } from "../model/FlowDefinition.ts"
import { canonicalJson } from "../../src/support/CanonicalJson.ts"
import { fromJsonSchema } from "../types/JsonSchemaTypes.ts"
import { variablesType } from "../model/VariablesType.ts"
import { parseDuration } from "../model/Words.ts"

/** Everything in which a draft differs from a published version, except the version itself. */
const compareFlows = (published: CheckedFlow, draft: CheckedFlow): ReadonlyArray<Change> => {
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
    ...limit("maxTokens", before.maxTokens, after.maxTokens),
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

/** The version that the changes of a draft need, and whether it has it. */
export interface Plan {
  readonly bump: Bump
  /** What changed, the gravest first. */
  readonly reasons: ReadonlyArray<string>
  /** Whether the draft's version is high enough. */
  readonly ok: boolean
  /** The lowest version that the draft may have; undefined if there is nothing to compare it with. */
  readonly needs?: string
}

const ranks: Readonly<Record<Bump, number>> = { none: 0, patch: 1, minor: 2, major: 3 }

/** Compares a draft with the published version that it follows. */
export const plan = (draft: CheckedFlow, published: CheckedFlow | undefined): Plan => {
  if (published === undefined) return { bump: "none", reasons: ["This is the first version"], ok: true }
  const found = compareFlows(published, draft)
  const gravest = found.reduce<Bump>((most, { bump }) => (ranks[bump] > ranks[most] ? bump : most), "none")
  const from = versionOf(published.definition)
  const to = versionOf(draft.definition)
  const made = SemVer.Order(to, from) > 0 ? bumpBetween(from, to) : "none"
  const isHigher = SemVer.Order(to, from) > 0
  return {
    bump: gravest,
    reasons: [...found]
      .sort((left, right) => ranks[right.bump] - ranks[left.bump])
      .map(({ bump, reason }) => `${bump}: ${reason}`),
    ok: isHigher && ranks[made] >= ranks[gravest],
    needs: lowest(from, gravest)
  }
}

const versionOf = ({ version }: FlowDefinition): SemVer.SemVer =>
  Result.getOrElse(SemVer.parse(version), () => SemVer.make({ major: 0, minor: 0, patch: 0 }))

/** A pre-release counts as the release that it leads to. */
const bumpBetween = (from: SemVer.SemVer, to: SemVer.SemVer): Bump => {
  if (to.major !== from.major) return "major"
  return to.minor !== from.minor ? "minor" : "patch"
}

const lowest = ({ major, minor, patch }: SemVer.SemVer, bump: Bump): string => {
  if (bump === "major") return `${major + 1}.0.0`
  return bump === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}

/** The version that a draft follows: the highest that is not above it, or else the highest of all. */
export const followed = (draft: string, versions: ReadonlyArray<string>): string | undefined => {
  const parsed = versions.flatMap((version) => {
    const result = SemVer.parse(version)
    return Result.isSuccess(result) ? [{ version, semver: result.success }] : []
  })
  const own = Result.getOrUndefined(SemVer.parse(draft))
  const byVersion = Order.mapInput(SemVer.Order, ({ semver }: (typeof parsed)[number]) => semver)
  const sorted = parsed.sort((left, right) => byVersion(right, left))
  const below = sorted.filter(({ semver }) => own === undefined || SemVer.Order(semver, own) <= 0)
  const candidates = below.length > 0 ? below : sorted
  return (candidates.find(({ version }) => !version.includes("-")) ?? candidates[0])?.version
}
