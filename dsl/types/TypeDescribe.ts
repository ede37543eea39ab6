import { members, type Type } from "./Type.ts"

/** The maximum number of literals in a message; the reference names all of them. */
const mostNamed = 8

/** A type in words, as messages name it: "a number", `one of "a", "b"`, "a string or null". */
export const describe = (type: Type, most = mostNamed): string => {
  const absent = type.kind === "union" && type.nullIsAbsent === true
  const all = members(type).filter((member) => !absent || member.kind !== "null")
  const literals = all.filter(isLiteral)
  const others = new Set(
    all.filter((member) => !isLiteral(member)).map((member) => describeOne(member, most))
  )
  const words = [...describeLiterals(literals, most), ...[...others].filter((word) => word !== "null")]
  if (others.has("null")) words.push("null")
  return words.length === 0 ? "nothing" : words.join(" or ")
}

const isLiteral = (type: Type): boolean =>
  (type.kind === "string" || type.kind === "number" || type.kind === "boolean") && type.value !== undefined

const describeLiterals = (types: ReadonlyArray<Type>, most: number): ReadonlyArray<string> => {
  const values = types.map((type) => ("value" in type ? JSON.stringify(type.value) : ""))
  if (values.length === 2 && values.includes("true") && values.includes("false")) return ["a boolean"]
  const shown = values.length > most ? [...values.slice(0, most), "…"] : values
  if (shown.length === 0) return []
  return [shown.length === 1 ? shown.join("") : `one of ${shown.join(", ")}`]
}

const describeOne = (type: Type, most: number): string => {
  switch (type.kind) {
    case "any":
      return "a value of unknown type"
    case "null":
      return "null"
    case "boolean":
      return "a boolean"
    case "number":
      return type.integer ? "an integer" : "a number"
    case "string":
      return type.format === "date" ? "a date like 2026-01-31" : "a string"
    case "list": {
      const items = members(type.items)
      return items.length === 0 || items.some((item) => item.kind === "any" || item.kind === "list")
        ? "an array"
        : `an array of ${plural(type.items, most)}`
    }
    default:
      return type.kind === "object" && type.isDocument === true ? "a document" : "an object"
  }
}

const plurals: Readonly<Record<string, string>> = {
  "a string": "strings",
  "a number": "numbers",
  "an integer": "integers",
  "an object": "objects",
  "a document": "documents",
  "a boolean": "booleans"
}

const plural = (type: Type, most: number): string => {
  const words = describe(type, most).split(" or ")
  return words.map((word) => plurals[word] ?? word).join(" or ")
}
