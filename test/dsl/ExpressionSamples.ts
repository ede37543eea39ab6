import * as Type from "../../dsl/types/Type.ts"

const line = Type.object({
  text: Type.nullable(Type.string),
  amount: Type.nullable(Type.number),
  quantity: Type.integer
})
const values = Type.object({
  total: Type.number,
  missing: Type.nullable(Type.number),
  name: Type.string,
  note: Type.nullable(Type.string),
  paid: Type.boolean,
  maybe: Type.nullable(Type.boolean),
  currency: Type.union([Type.literal("EUR"), Type.literal("USD")]),
  lines: Type.list(line),
  noLines: Type.nullable(Type.list(line)),
  numbers: Type.list(Type.number),
  texts: Type.list(Type.string),
  loose: Type.any
})
/** What the expressions of the tests may refer to. */
export const scope = {
  types: Type.object({
    input: Type.any,
    variables: Type.object({ limit: Type.number }),
    steps: Type.object({ read: values })
  })
}
/** Values of those types. */
export const run = {
  input: { x: 1 },
  variables: { limit: 10 },
  steps: {
    read: {
      total: 12.5,
      missing: null,
      name: "Acme Ltd",
      note: null,
      paid: true,
      maybe: null,
      currency: "EUR",
      lines: [
        { text: "a", amount: 2.5, quantity: 1 },
        { text: null, amount: 10, quantity: 2 }
      ],
      noLines: null,
      numbers: [3, 1, 2],
      texts: ["b", "a", "b"],
      loose: { deep: [1, "two"] }
    }
  }
}

/** Expressions are written with the bare names of the values. */
export const short = (text: string) =>
  text.replaceAll(
    /\b(total|missing|name|note|paid|maybe|currency|lines|noLines|numbers|texts|loose)\b/gu,
    "steps.read.$1"
  )
