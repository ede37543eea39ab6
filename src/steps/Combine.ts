import { Effect, Predicate, Schema } from "effect"
import { canonicalJson } from "../../dsl/Canonical.ts"
import * as StepKind from "../../dsl/StepKind.ts"

const Values = Schema.Record(Schema.String, Schema.Unknown)

/** What a `combine` step is given. */
export const CombineConfig = Schema.Struct({
  from: Schema.Array(Values)
    .check(Schema.isMinLength(1, { message: "There is at least one source to combine." }))
    .annotate({
      description:
        "The sources, the most trusted first: usually ${{ steps.<id>.values }} of several `extract` steps."
    }),
  by: Schema.Literals(["merge", "vote", "consensus"]).annotate({
    description:
      "For each field: merge takes the first value that is not null; vote takes the value that most sources have, of equals the first; consensus takes it only if enough sources have it."
  }),
  atLeast: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
      description: "How many sources must agree for `consensus`; more than half of them without it."
    })
  )
})

/** What a `combine` step gives: the values, and for each how many sources have it. */
export const CombineOutput = Schema.Struct({
  values: Values,
  votes: Schema.Record(Schema.String, Schema.Int),
  /** The fields of which sources have different values. */
  disputed: Schema.Array(Schema.String)
})

interface Candidate {
  readonly value: unknown
  readonly votes: number
}

/** The values of a field that are not null, each once, in the order of the sources. */
const candidatesOf = (
  name: string,
  sources: (typeof CombineConfig.Type)["from"]
): ReadonlyArray<Candidate> => {
  const found = new Map<string, Candidate>()
  for (const source of sources) {
    const value = Object.hasOwn(source, name) ? source[name] : null
    if (value === null || value === undefined) continue
    const key = canonicalJson(value)
    found.set(key, { value: found.get(key)?.value ?? value, votes: (found.get(key)?.votes ?? 0) + 1 })
  }
  return [...found.values()]
}

const chosenOf = (candidates: ReadonlyArray<Candidate>, config: typeof CombineConfig.Type): Candidate => {
  const [first] = candidates
  const nothing = { value: null, votes: 0 }
  if (first === undefined) return nothing
  if (config.by === "merge") return first
  const most = candidates.reduce((best, next) => (next.votes > best.votes ? next : best), first)
  const needed = config.atLeast ?? Math.floor(config.from.length / 2) + 1
  return config.by === "vote" || most.votes >= needed ? most : nothing
}

/** The step kind `combine`: one set of values from several. */
export const combine = StepKind.make("combine", {
  description: "Makes one set of values from several, field by field: by trust, by vote or by consensus.",
  config: CombineConfig,
  output: CombineOutput,
  errors: {},
  outputType: (_config, type) => outputType(type["properties"]),
  run: (config) =>
    Effect.sync(() => {
      const names = [...new Set(config.from.flatMap((source) => Object.keys(source)))]
      const fields = names.map((name) => {
        const candidates = candidatesOf(name, config.from)
        return { name, isDisputed: candidates.length > 1, chosen: chosenOf(candidates, config) }
      })
      return {
        values: Object.fromEntries(fields.map(({ chosen, name }) => [name, chosen.value])),
        votes: Object.fromEntries(fields.map(({ chosen, name }) => [name, chosen.votes])),
        disputed: fields.filter(({ isDisputed }) => isDisputed).map(({ name }) => name)
      }
    })
})

/** Every field that some source may have, with the types of all of them, or null. */
const outputType = (properties: unknown) => {
  const from = Predicate.hasProperty(properties, "from") ? properties.from : undefined
  const items = Predicate.hasProperty(from, "items") ? from.items : undefined
  const sources = Predicate.hasProperty(items, "anyOf") && Array.isArray(items.anyOf) ? items.anyOf : [items]
  const fields = new Map<string, Array<unknown>>()
  let isOpen = false
  for (const source of sources) {
    if (!Predicate.hasProperty(source, "properties") || !Predicate.isObject(source.properties)) isOpen = true
    else
      for (const [name, schema] of Object.entries(source.properties))
        fields.set(name, [...(fields.get(name) ?? []), schema])
  }
  const of = (make: (schemas: ReadonlyArray<unknown>) => unknown) => ({
    type: "object",
    required: [...fields.keys()],
    properties: Object.fromEntries([...fields].map(([name, schemas]) => [name, make(schemas)])),
    additionalProperties: isOpen
  })
  return {
    type: "object",
    required: ["values", "votes", "disputed"],
    properties: {
      values: of((schemas) => ({ anyOf: [...schemas, { type: "null" }] })),
      votes: of(() => ({ type: "integer" })),
      disputed: { type: "array", items: { type: "string" } }
    }
  }
}
