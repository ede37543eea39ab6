import * as fc from "../support/FastCheck.ts"
import * as Type from "../../dsl/types/Type.ts"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import { compileExpression } from "../../dsl/expression/Expression.ts"
import { toJsonSchema } from "../../dsl/types/JsonSchemaTypes.ts"
import { scope, short } from "./ExpressionSamples.ts"

const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: null })
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, 1e308, -1e308, 1e-308),
  fc.integer({ min: -100, max: 100 })
)
const text = fc.constantFrom("", "a", "Acme Ltd", "12.5", "-1e3", "2026-01-31", "ä€😀")
const line = fc.record({
  text: maybe(text),
  amount: maybe(number),
  quantity: fc.integer({ min: -5, max: 5 })
})
const json = fc.jsonValue({ maxDepth: 2 })

const values = fc.record({
  total: number,
  missing: maybe(number),
  name: text,
  note: maybe(text),
  paid: fc.boolean(),
  maybe: maybe(fc.boolean()),
  currency: fc.constantFrom("EUR", "USD"),
  lines: fc.array(line, { maxLength: 3 }),
  noLines: maybe(fc.array(line, { maxLength: 3 })),
  numbers: fc.array(number, { maxLength: 3 }),
  texts: fc.array(text, { maxLength: 3 }),
  loose: json
})

const leaf = fc.constantFrom(
  "total",
  "missing",
  "name",
  "note",
  "paid",
  "maybe",
  "currency",
  "lines",
  "noLines",
  "numbers",
  "texts",
  "loose",
  "variables.limit",
  "input",
  "loose.a",
  "null",
  "0",
  "1",
  "2.5",
  "-3",
  `""`,
  `"a"`,
  `"EUR"`,
  "true",
  "false",
  "[]",
  "lines[0].amount",
  "noLines[0].text",
  "x",
  "x.amount",
  "x.text"
)
const list = fc.constantFrom("lines", "noLines", "numbers", "texts", "[1, null, 2]", "[[1], []]", "loose")
const oneArgument = fc.constantFrom(
  "abs",
  "round",
  "floor",
  "ceil",
  "sum",
  "average",
  "min",
  "max",
  "number",
  "int",
  "string",
  "lower",
  "trim",
  "size",
  "first",
  "last",
  "sort",
  "reverse",
  "distinct",
  "flatten",
  "keys",
  "values",
  "json",
  "has",
  "join",
  "-",
  "!"
)
const twoArguments = fc.constantFrom(
  "coalesce",
  "round",
  "min",
  "max",
  "contains",
  "startsWith",
  "indexOf",
  "substring",
  "split",
  "join"
)
const operator = fc.constantFrom("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "in", "&&", "||")
const macro = fc.constantFrom("map", "filter", "all", "exists", "exists_one")

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.tuple(tie("expression"), operator, tie("expression")).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(oneArgument, tie("expression")).map(([name, a]) => `${name}(${a})`),
    fc.tuple(twoArguments, tie("expression"), tie("expression")).map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc.tuple(list, macro, tie("expression")).map(([source, name, body]) => `${source}.${name}(x, ${body})`),
    fc
      .tuple(tie("expression"), tie("expression"), tie("expression"))
      .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `${a}[${b}]`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `{"a": ${a}, "b": ${b}}`),
    tie("expression").map((a) => `${a}.a`)
  )
}))

describe("an expression that passed its check", () => {
  it("never fails, and its value has its type", () => {
    let passed = 0
    fc.assert(
      fc.property(expression, values, (written, read) => {
        const { evaluate, problems, type } = compileExpression(short(written), scope)
        if (problems.length > 0) return
        passed++
        const plain: unknown = JSON.parse(JSON.stringify(read))
        const value = Result.getOrThrow(
          evaluate({ input: 1, variables: { limit: 10 }, steps: { read: plain } })
        )
        const schema = toJsonSchema(type)
        const compare = Result.getOrThrowWith(
          compileJsonSchema({ ...schema }),
          (found) => new Error(JSON.stringify(found))
        )
        expect({ value, schema, wrong: compare(value) }).toEqual({ value, schema, wrong: [] })
      }),
      { numRuns: process.env["DOCFLOW_TEST_LONG"] === undefined ? 2000 : 30_000 }
    )
    expect(passed).toBeGreaterThan(100)
  }, 900_000)
})

describe("functions of strings", () => {
  const letters = fc.array(fc.constantFrom("a", "ä", "€", "😀", "🧾", "\u0301", " "), { maxLength: 8 })
  const types = Type.object({
    input: Type.any,
    variables: Type.object({ text: Type.string, part: Type.string, start: Type.integer, end: Type.integer }),
    steps: Type.object({})
  })
  const run = (source: string, variables: Readonly<Record<string, unknown>>) =>
    Result.getOrThrow(compileExpression(source, { types }).evaluate({ input: {}, variables, steps: {} }))

  it("count code points", () => {
    fc.assert(
      fc.property(letters, letters, fc.nat(10), fc.nat(10), (left, right, start, end) => {
        const [text, part] = [[...left, ...right].join(""), right.join("")]
        const all = [...left, ...right]
        const given = { text, part, start, end }
        expect(run("size(variables.text)", given)).toBe(all.length)
        expect(run("substring(variables.text, variables.start)", given)).toBe(all.slice(start).join(""))
        const middle = all.slice(start, end).join("")
        expect(run("substring(variables.text, variables.start, variables.end)", given)).toBe(middle)
        expect(run('split(variables.text, "")', given)).toEqual(all)
        expect(run('replace(variables.text, "", "|")', given)).toBe(["", ...all, ""].join("|"))
        expect(
          run(
            "substring(variables.text, indexOf(variables.text, variables.part), size(variables.text))",
            given
          )
        ).toMatch(new RegExp(`^${part}`, "u"))
      })
    )
  })
})
