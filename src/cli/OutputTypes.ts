import { Predicate } from "effect"

type Json = { readonly [name: string]: unknown }

const membersOf = (value: unknown): Json =>
  Predicate.isObject(value) && !Array.isArray(value) ? { ...value } : {}
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The name of a flow's output type: `mail-room` has `MailRoomOutput`. */
export const typeNameOf = (flowId: string): string =>
  `${flowId.replaceAll(/(?:^|-)([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase())}Output`

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name))

const comment = (schema: Json, indent: string): string => {
  const { description } = schema
  return typeof description === "string" ? `${indent}/** ${description.replaceAll("*/", "* /")} */\n` : ""
}

const objectText = (schema: Json, indent: string): string => {
  const required = new Set(listOf(schema["required"]))
  const inner = `${indent}  `
  const lines = Object.entries(membersOf(schema["properties"])).map(
    ([name, part]) =>
      `${comment(membersOf(part), inner)}${inner}readonly ${keyOf(name)}${required.has(name) ? "" : "?"}: ${typeText(part, inner)}`
  )
  const { additionalProperties } = schema
  if (lines.length === 0)
    return `{ readonly [name: string]: ${Predicate.isObject(additionalProperties) ? typeText(additionalProperties, inner) : "unknown"} }`
  return `{\n${lines.join("\n")}\n${indent}}`
}

const single = (type: unknown, schema: Json, indent: string): string => {
  if (type === "integer" || type === "number") return "number"
  if (type === "string" || type === "boolean" || type === "null") return type
  if (type === "array") return `ReadonlyArray<${typeText(schema["items"], indent)}>`
  return type === "object" ? objectText(schema, indent) : "unknown"
}

/** A JSON Schema as a TypeScript type; what TypeScript cannot say is `unknown`. */
export const typeText = (value: unknown, indent = ""): string => {
  const schema = membersOf(value)
  if ("const" in schema) return JSON.stringify(schema["const"])
  const literals = listOf(schema["enum"])
  if (literals.length > 0) return literals.map((one) => JSON.stringify(one)).join(" | ")
  const choices = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])]
  const types = Array.isArray(schema["type"]) ? listOf(schema["type"]) : [schema["type"]]
  const texts =
    choices.length > 0
      ? choices.map((one) => typeText(one, indent))
      : types.map((type) => single(type, schema, indent))
  return [...new Set(texts)].join(" | ")
}
