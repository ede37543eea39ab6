import { members, type Type } from "./Type.ts"

const mostNamed = 8

/** Says a type in words, as messages do: "a number", "one of "a", "b"", "text or null". */
export const describe = (type: Type): string => {
  const absent = type.kind === "union" && type.nullIsAbsent === true
  const all = members(type).filter((member) => !absent || member.kind !== "null")
  const literals = all.filter(isLiteral)
  const others = new Set(all.filter((member) => !isLiteral(member)).map(describeOne))
  const words = [...describeLiterals(literals), ...[...others].filter((word) => word !== "null")]
  if (others.has("null")) words.push("null")
  return words.length === 0 ? "nothing" : words.join(" or ")
}

const isLiteral = (type: Type): boolean =>
  (type.kind === "string" || type.kind === "number" || type.kind === "boolean") && type.value !== undefined

const describeLiterals = (types: ReadonlyArray<Type>): ReadonlyArray<string> => {
  const values = types.map((type) => ("value" in type ? JSON.stringify(type.value) : ""))
  if (values.length === 2 && values.includes("true") && values.includes("false")) return ["true or false"]
  const shown = values.length > mostNamed ? [...values.slice(0, mostNamed), "…"] : values
  if (shown.length === 0) return []
  return [shown.length === 1 ? shown.join("") : `one of ${shown.join(", ")}`]
}

const describeOne = (type: Type): string => {
  switch (type.kind) {
    case "any":
      return "a value of unknown type"
    case "null":
      return "null"
    case "boolean":
      return "true or false"
    case "number":
      return type.integer ? "a whole number" : "a number"
    case "string":
      return type.format === "date" ? "a date (text like 2026-01-31)" : "text"
    case "list": {
      const items = members(type.items)
      return items.length === 0 || items.some((item) => item.kind === "any" || item.kind === "list")
        ? "a list"
        : `a list of ${plural(type.items)}`
    }
    default:
      return type.kind === "object" && type.isDocument === true ? "a document" : "an object"
  }
}

const plurals: Readonly<Record<string, string>> = {
  text: "texts",
  "a number": "numbers",
  "a whole number": "whole numbers",
  "an object": "objects",
  "a document": "documents",
  "true or false": "booleans"
}

const plural = (type: Type): string => {
  const words = describe(type)
  return plurals[words] ?? words
}
