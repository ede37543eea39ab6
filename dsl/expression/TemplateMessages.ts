import { nearest } from "../source/Nearest.ts"
import { formatPath, type Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import type { SourceNode } from "../source/Source.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { mismatch, type Mismatch } from "../types/TypeFits.ts"

/** Reports a literal of the wrong type. */
export const reportLiteral = (problems: Problems, node: SourceNode, place: Type.Type, path: Path): void =>
  problems.add(
    node,
    path,
    `Expected ${describe(place)}, found ${found(node)}.`,
    literalAdvice(node, place, path)
  )

const isDocument = (type: Type.Type): boolean => type.kind === "object" && type.isDocument === true

const documentAdvice =
  "Only the execution's own documents can be used: ${{ input.document }}, or what earlier steps made of it."

const longestShown = 40

const found = (node: SourceNode): string => {
  if (node.kind !== "scalar") return node.kind === "map" ? "an object" : "an array"
  const shown = JSON.stringify(node.value)
  if (typeof node.value === "string") return shown.length > longestShown ? "a string" : `the string ${shown}`
  return typeof node.value === "number" ? `the number ${shown}` : shown
}

/** A string that names steps, or compares something where a boolean is expected: an expression without its `${{ }}`. */
const expressionMeant = (value: unknown, places: ReadonlyArray<Type.Type>): string | undefined => {
  if (typeof value !== "string") return undefined
  const takesBoolean = places.some(({ kind }) => kind === "boolean")
  const isMeant = /\b(?:steps|input|variables)\.\w/u.test(value) || (takesBoolean && /[<>=!&|(]/u.test(value))
  if (!isMeant) return undefined
  const expression = value.trim().replace(/^\$(?=\w)/u, "")
  return `Write \${{ ${expression.length > longestShown * 2 ? "…" : expression} }}.`
}

const literalAdvice = (node: SourceNode, place: Type.Type, path: Path): string | undefined => {
  const places = Type.members(place)
  const forgotten = node.kind === "scalar" ? expressionMeant(node.value, places) : undefined
  if (forgotten !== undefined) return forgotten
  if (places.some(isDocument)) return documentAdvice
  const takes = (type: Type.Type) =>
    places.some((member) => member.kind === type.kind && !("value" in member))
  if (node.kind !== "scalar") return undefined
  if (typeof node.value === "string") {
    const values = places.flatMap((member) =>
      member.kind === "string" && member.value !== undefined ? [member.value] : []
    )
    const near = nearest(node.value, values)
    if (near !== undefined) return `Did you mean "${near}"?`
    if (path.at(-1) === "position" && node.value === "left")
      return 'Write "row" for a value to the left of its label: it searches both sides.'
    if (takes(Type.number) && node.value.trim() !== "" && Number.isFinite(Number(node.value))) {
      return `Write ${node.value} without quotes.`
    }
    if (takes(Type.boolean) && (node.value === "true" || node.value === "false"))
      return `Write ${node.value} without quotes.`
  } else if (path.at(-1) === "timeout" || path.at(-1) === "backoff") {
    return typeof node.value === "number" ? `Write it with its unit: ${node.value}s.` : undefined
  } else if (path.length === 1 && path[0] === "version") return 'Write three numbers, like "1.0.0".'
  else if (places.length === 1 && takes(Type.string) && node.value !== null)
    return `Put it in quotes: "${node.value}".`
  return places.some((member) => member.kind === "list") ? "Write an array: [ … ]." : undefined
}

/** Reports an expression whose values have the wrong type. */
export const reportMismatch = (
  problems: Problems,
  at: number,
  path: Path,
  expression: string,
  problem: Mismatch
): void => {
  const inside = problem.path.length === 0 ? "" : `In ${formatPath(problem.path)}: `
  problems.add(
    at,
    path,
    inside + mismatchMessage(problem),
    problem.path.length === 0 ? advice(expression, problem) : undefined
  )
}

const mismatchMessage = ({ expected, found, missing, unknown }: Mismatch): string => {
  if (missing !== undefined) return `Missing required field "${missing}": the value may not have it.`
  if (unknown !== undefined) return `Unknown field "${unknown}" in the value.`
  if (onlyNull(found, expected)) return `Expected ${describe(expected)}; the value may be null.`
  return `Expected ${describe(expected)}, found ${describe(found)}.`
}

const onlyNull = (found: Type.Type, expected: Type.Type): boolean => {
  const kinds = new Set(Type.members(found).map((member) => member.kind))
  if (!kinds.has("null") || kinds.size === 1) return false
  const wanted = new Set(Type.members(expected).map((member) => member.kind))
  return [...kinds].every((kind) => kind === "null" || wanted.has(kind))
}

/** The only field of an object that would fit, as in `steps.read.document`. */
const fieldMeant = (expression: string, { found, expected }: Mismatch): string | undefined => {
  const [object, ...others] = Type.members(Type.withoutNull(found))
  if (object?.kind !== "object" || others.length > 0 || !/^[\w.]+$/u.test(expression)) return undefined
  const fitting = [...object.fields].filter(
    ([, { type }]) => mismatch(type, expected, { extraFields: "ignored" }) === undefined
  )
  const [only] = fitting
  return only === undefined || fitting.length > 1 ? undefined : `Did you mean ${expression}.${only[0]}?`
}

const advice = (expression: string, problem: Mismatch): string | undefined => {
  const { found, expected } = problem
  const meant = fieldMeant(expression, problem)
  if (meant !== undefined) return meant
  const wants = (kind: Type.Type["kind"]) => Type.members(expected).some((member) => member.kind === kind)
  const is = (kind: Type.Type["kind"]) =>
    Type.members(Type.withoutNull(found)).every((member) => member.kind === kind)
  if (Type.members(expected).some(isDocument)) return documentAdvice
  if (onlyNull(found, expected)) return `Say what to use instead of null: coalesce(${expression}, …).`
  if (wants("string") && (is("number") || is("boolean"))) return `Convert it: string(${expression}).`
  if (wants("number") && is("string")) return `Convert it: number(${expression}).`
  if (wants("boolean") && is("number")) return "Compare it, as in x > 0."
  if (wants("list") && !is("list")) return `Wrap it in an array: [${expression}].`
  return undefined
}
