import * as fc from "../support/FastCheck.ts"
import { compileExpression, type ExpressionScope } from "../../dsl/expression/Expression.ts"
import * as Type from "../../dsl/types/Type.ts"
import { mismatch } from "../../dsl/types/TypeFits.ts"

/** An expression, and the type that the checker finds for it. */
interface TypedText {
  readonly text: string
  readonly type: Type.Type
}

/** The expressions that a configuration may contain, typed in a scope. */
export const typedTexts = (texts: ReadonlyArray<string>, scope: ExpressionScope): ReadonlyArray<TypedText> =>
  texts.map((text) => ({ text, type: compileExpression(text, scope).type }))

/** Texts that mean something at keys of these names: generated ones would be refused all the same. */
const known: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  url: fc.constantFrom("https://nowhere.invalid/a", "http://127.0.0.1:1/", "https://nowhere.invalid/{k}"),
  path: fc.constant({ k: "${{ variables.text }}" }),
  method: fc.constantFrom("GET", "POST"),
  headers: fc.constant({ "X-A": "b" }),
  expect: fc.constant({ type: "object", required: ["a"], properties: { a: { type: "string" } } }),
  flow: fc.constant("inner"),
  version: fc.constant("^1.0.0"),
  timeout: fc.constantFrom("200ms", "1s"),
  relations: fc.constant(["a + b = c"]),
  fields: fc.constantFrom<unknown>(
    { a: { type: "string", labels: ["One"] } },
    { a: { type: "number", labels: ["Total"] }, b: { type: "date" } },
    { t: { type: "table", columns: { x: "string", y: "number" } } }
  ),
  classes: fc.constantFrom<unknown>(
    { one: { keywords: ["One", "${{ variables.text }}"] } },
    { one: { keywords: ["x"] }, two: { keywords: ["Total"], not: ["y"] } }
  ),
  rules: fc.constantFrom<unknown>(
    [{ that: "${{ variables.whole > 1 }}", else: "Too small: ${{ variables.maybe }}" }],
    [{ that: "${{ variables.maybe == null }}", else: "x", severity: "warning" }]
  )
}

const deepest = 4

/** Values for a place of this type, with expressions that fit in the midst of them. */
export const anyConfig = (
  place: Type.Type,
  expressions: ReadonlyArray<TypedText>,
  depth = 0
): fc.Arbitrary<unknown> => {
  const fitting = expressions
    .filter(({ type }) => mismatch(type, place, { extraFields: "ignored" }) === undefined)
    .map(({ text }) => `\${{ ${text} }}`)
  const literals = Type.members(place).flatMap((member) => literal(member, expressions, depth) ?? [])
  const written = literals.length === 0 ? undefined : fc.oneof(...literals)
  if (fitting.length === 0) return written ?? fc.constant(null)
  const chosen = fc.constantFrom(...fitting)
  return written === undefined || depth >= deepest
    ? chosen
    : fc.oneof({ arbitrary: chosen, weight: 3 }, { arbitrary: written, weight: 2 })
}

const literal = (
  type: Type.Type,
  expressions: ReadonlyArray<TypedText>,
  depth: number
): fc.Arbitrary<unknown> | undefined => {
  // A document is no literal: only an expression gives one.
  if (type.kind === "object" && type.isDocument === true) return undefined
  const inside = (place: Type.Type) => anyConfig(place, expressions, depth + 1)
  switch (type.kind) {
    case "any":
      return fc.constantFrom<unknown>(1, "a", null, [1], { a: "${{ variables.maybe }}" })
    case "null":
      return undefined
    case "boolean":
      return type.value === undefined ? fc.boolean() : fc.constant(type.value)
    case "number":
      return type.value === undefined ? fc.integer({ min: 1, max: 3 }) : fc.constant(type.value)
    case "string":
      return type.value === undefined
        ? fc.constantFrom("a", "Total", "x ${{ variables.whole }} y ${{ variables.maybe }}")
        : fc.constant(type.value)
    case "list":
      return depth >= deepest ? fc.constant([]) : fc.array(inside(type.items), { maxLength: 2 })
    case "object":
      return objects(type, inside)
    default:
      return undefined
  }
}

const objects = (type: Type.ObjectType, inside: (place: Type.Type) => fc.Arbitrary<unknown>) => {
  const fields = [...type.fields].map(([name, field]) => [name, known[name] ?? inside(field.type)] as const)
  const requiredKeys = [...type.fields].filter(([, { optional }]) => !optional).map(([name]) => name)
  const listed = fc.record(Object.fromEntries(fields), { requiredKeys })
  return type.rest === undefined || type.fields.size > 0
    ? listed
    : fc.dictionary(fc.constantFrom("k", "other"), inside(type.rest), { maxKeys: 2 })
}
