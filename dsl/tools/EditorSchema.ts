import { Predicate, type JsonSchema } from "effect"
import { FlowDefinition } from "../model/FlowDefinition.ts"
import { jsonSchemaOf } from "../types/SchemaType.ts"
import { actionKeys } from "../model/StepDefinition.ts"
import { names, type StepRegistry } from "../model/StepRegistry.ts"
import { isList } from "../types/Values.ts"

/**
 * The JSON Schema of flow files, for editors: it completes keys, says what they mean, and marks what is wrong without
 * running anything. `with` is described for each step kind of the registry; an expression is allowed wherever a value
 * is.
 */
export const editorSchema = (registry: StepRegistry): JsonSchema.JsonSchema => {
  const kinds = names(registry).map((name) => kindSchema(name, registry))
  const flow = changeAt(jsonSchemaOf(FlowDefinition), ["$defs", "Step"], (step) =>
    stepSchema(step, registry, kinds)
  )
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "docflow flow",
    ...flow,
    $defs: Object.assign(
      { expression: { type: "string", pattern: "\\$\\{\\{", description: "Expression: ${{ … }}." } },
      flow["$defs"],
      ...kinds.map(({ definitions }) => definitions)
    )
  }
}

interface KindSchema {
  readonly name: string
  readonly config: JsonSchema.JsonSchema
  readonly definitions: JsonSchema.JsonSchema
}

const kindSchema = (name: string, registry: StepRegistry): KindSchema => {
  const kind = registry.kinds.get(name)
  const { $defs, ...schema } = kind === undefined ? {} : jsonSchemaOf(kind.config)
  const own = (reference: string) => reference.replace("#/$defs/", `#/$defs/${name}.`)
  const definitions = Predicate.isObject($defs) ? Object.entries({ ...$defs }) : []
  return {
    name,
    config: toObject(withExpressions(schema, own, true)),
    definitions: Object.fromEntries(
      definitions.map(([key, definition]) => [`${name}.${key}`, withExpressions(definition, own, true)])
    )
  }
}

const stepSchema = (
  step: JsonSchema.JsonSchema,
  registry: StepRegistry,
  kinds: ReadonlyArray<KindSchema>
) => ({
  ...changeAt(step, ["properties", "uses"], () => ({
    description: "Step kind.",
    oneOf: kinds.map(({ name }) => ({
      const: name,
      description: registry.kinds.get(name)?.description ?? ""
    }))
  })),
  oneOf: actionKeys.map((action) => ({ required: [action] })),
  allOf: kinds.map(({ config, name }) =>
    changeAt(
      { if: { properties: { uses: { const: name } }, required: ["uses"] } },
      ["then", "properties", "with"],
      () => config
    )
  )
})

const toObject = (value: unknown): JsonSchema.JsonSchema => (Predicate.isObject(value) ? { ...value } : {})

const changeAt = (
  schema: JsonSchema.JsonSchema,
  path: ReadonlyArray<string>,
  change: (schema: JsonSchema.JsonSchema) => JsonSchema.JsonSchema
): JsonSchema.JsonSchema => {
  const [first, ...rest] = path
  return first === undefined
    ? change(schema)
    : { ...schema, [first]: changeAt(toObject(schema[first]), rest, change) }
}

const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"])
const maps = new Set(["properties", "patternProperties"])
const singles = new Set(["items", "additionalProperties"])

/** Allows an expression for every value inside a schema; `top` is the configuration itself, which must be literal. */
const withExpressions = (schema: unknown, reference: (ref: string) => string, top = false): unknown => {
  if (!Predicate.isObject(schema)) return schema
  const inside = (value: unknown) => withExpressions(value, reference)
  const changed = Object.entries(schema).map(([key, value]): readonly [string, unknown] => {
    if (key === "$ref" && typeof value === "string") return [key, reference(value)]
    if (lists.has(key) && isList(value))
      return [key, value.map((item) => withExpressions(item, reference, true))]
    if (maps.has(key))
      return [
        key,
        Object.fromEntries(Object.entries(toObject(value)).map(([name, field]) => [name, inside(field)]))
      ]
    return singles.has(key) ? [key, inside(value)] : [key, value]
  })
  const made = Object.fromEntries(changed)
  if (top || takesAnyText(schema)) return made
  const { description, ...rest } = made
  const alternatives = { anyOf: [rest, { $ref: "#/$defs/expression" }] }
  return description === undefined ? alternatives : { description, ...alternatives }
}

const restrictions = ["enum", "const", "pattern", "minLength", "maxLength", "format"]

const takesAnyText = (schema: object): boolean => {
  const keys = Object.keys(schema).filter((key) => key !== "description" && key !== "title")
  if (keys.length === 0) return true
  return (
    Predicate.hasProperty(schema, "type") &&
    schema.type === "string" &&
    !restrictions.some((key) => keys.includes(key))
  )
}
