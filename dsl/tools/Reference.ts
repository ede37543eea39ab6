import { Predicate } from "effect"
import { FlowDefinition } from "../model/FlowDefinition.ts"
import { functions } from "../expression/Functions.ts"
import { jsonSchemaOf } from "../types/SchemaType.ts"
import type * as StepKind from "../model/StepKind.ts"
import { controlSteps, expressions, introduction, macros, typescript } from "./ReferenceText.ts"
import { names, type StepRegistry } from "../model/StepRegistry.ts"
import { documentFormat, fromJsonSchema } from "../types/JsonSchemaTypes.ts"
import { describe } from "../types/TypeDescribe.ts"
import { isList } from "../types/Values.ts"

/** The depth to which nested objects are listed: all that authors write, and what of outputs is worth a line. */
const deepest = { written: 8, returned: 3 }

/**
 * Lists the fields of a JSON Schema; those of nested objects are indented. `isWritten`: authors write such values, in which
 * a document that was read is only passed on.
 */
const describeSchema = (schema: unknown, definitions: unknown, isWritten = false): string => {
  const lines = fieldsOf(schema, { definitions, depth: 0, inside: new Set(), isWritten })
  return lines.length === 0 ? describeType(schema, definitions) : lines.join("\n")
}

interface Listing {
  readonly definitions: unknown
  readonly depth: number
  /** Definitions that are being listed further up; they are not listed inside themselves. */
  readonly inside: ReadonlySet<string>
  readonly isWritten: boolean
}

/** Whether these are the fields of a document that `parse` has read. */
const isReadDocument = (properties: object): boolean => "pages" in properties && "extras" in properties

const fieldsOf = (schema: unknown, listing: Listing): ReadonlyArray<string> => {
  if (!Predicate.isObject(schema) || listing.depth >= deepest[listing.isWritten ? "written" : "returned"])
    return []
  const reference = Predicate.hasProperty(schema, "$ref") ? String(schema.$ref) : undefined
  if (reference !== undefined) {
    if (listing.inside.has(reference) || reference === "#/$defs/Step") return []
    const inside = new Set(listing.inside).add(reference)
    return fieldsOf(lookUp(reference, listing.definitions), { ...listing, inside })
  }
  if (Predicate.hasProperty(schema, "items")) return fieldsOf(schema.items, listing)
  const alternatives = Predicate.hasProperty(schema, "anyOf") && isList(schema.anyOf) ? schema.anyOf : []
  const nested = alternatives.map((one) => fieldsOf(one, listing)).find((lines) => lines.length > 0)
  if (nested !== undefined) return nested
  // Nobody writes the fields of a document.
  if (Predicate.hasProperty(schema, "format") && schema.format === documentFormat) return []
  const properties = Predicate.hasProperty(schema, "properties") ? schema.properties : undefined
  const required = Predicate.hasProperty(schema, "required") && isList(schema.required) ? schema.required : []
  if (!Predicate.isObject(properties)) {
    const others = Predicate.hasProperty(schema, "additionalProperties") ? schema.additionalProperties : false
    const inside = fieldsOf(others, { ...listing, depth: listing.depth + 1 })
    return inside.length === 0 ? [] : [anyName(others, listing), ...inside]
  }
  if (listing.isWritten && isReadDocument(properties)) return []
  return Object.entries(properties).flatMap(([name, field]) => {
    const need = required.includes(name) ? ", required" : ""
    const words = descriptionOf(field)
    const head = `${indent(listing.depth)}- \`${name}\` (${describeType(field, listing.definitions)}${need})${words === "" ? "" : `: ${words}`}`
    return [head].concat(fieldsOf(field, { ...listing, depth: listing.depth + 1 }))
  })
}

/** Values that may be something simpler than an object, such as a column that is only a type, say so. */
const anyName = (value: unknown, { definitions, depth }: Listing): string => {
  const type = describeType(value, definitions)
  return `${indent(depth)}- any name${type.startsWith("object") ? "" : ` (${type})`}:`
}

const indent = (depth: number): string => "  ".repeat(depth)

const descriptionOf = (schema: unknown): string =>
  Predicate.hasProperty(schema, "description") && typeof schema.description === "string"
    ? schema.description
    : ""

const describeType = (schema: unknown, definitions: unknown): string => {
  const whole = Predicate.isObject(schema) ? { ...schema, $defs: definitions } : schema
  const words = describe(fromJsonSchema(whole, { closed: true, trusted: true }), Infinity)
  return words === "a value of unknown type" ? "any" : words.replaceAll(/\b(?:an?|one of) (?=\S)/gu, "")
}

const lookUp = (reference: string, definitions: unknown): unknown => {
  const name = reference.replace("#/$defs/", "")
  return Predicate.isObject(definitions) && Predicate.hasProperty(definitions, name)
    ? definitions[name]
    : undefined
}

/** The reference of the flow language, made from the schemas, the step kinds and the functions: Markdown. */
export const reference = (registry: StepRegistry): string => {
  const flow = jsonSchemaOf(FlowDefinition)
  const definitions = flow["$defs"]
  const step = Predicate.hasProperty(definitions, "Step") ? definitions.Step : {}
  return `${[
    "# The flow language",
    "<!-- Made by `docflow reference`. Change the schemas, not this file. -->",
    introduction,
    "## A flow",
    describeSchema(flow, definitions),
    "## A step",
    controlSteps,
    describeSchema(step, definitions),
    "## Expressions",
    expressions,
    macros
      .concat(functions.map(({ description, usage }) => [usage, description]))
      .map(([usage, description]) => `- \`${usage}\`: ${description}`)
      .join("\n"),
    "## Flows in TypeScript",
    typescript,
    "## Step kinds",
    ...names(registry).flatMap((name) => {
      const kind = registry.kinds.get(name)
      return kind === undefined ? [] : describeKind(kind)
    })
  ].join("\n\n")}\n`
}

const describeKind = (kind: StepKind.Any): ReadonlyArray<string> => {
  const config = jsonSchemaOf(kind.config)
  const output = jsonSchemaOf(kind.output)
  const errors = Object.entries(kind.errors).flatMap(([tag, code]) =>
    code === undefined ? [] : [`\`${tag}\` is \`${code}\``]
  )
  return [
    `### ${kind.name}`,
    kind.description,
    ...(kind.example === undefined ? [] : [`\`\`\`yaml\n${kind.example}\n\`\`\``]),
    "Configuration (`with`):",
    describeSchema(config, config["$defs"], true),
    kind.outputType === undefined ? "Output:" : "Output, refined by what `with` says:",
    describeSchema(output, output["$defs"]),
    ...(errors.length === 0 ? [] : [`Errors: ${errors.join(", ")}; any other error is \`EXECUTION_FAILED\`.`])
  ]
}
