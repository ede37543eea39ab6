import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { compileExpression } from "../../dsl/Expression.ts"
import * as Type from "../../dsl/Type.ts"
import { describe as words } from "../../dsl/TypeDescribe.ts"

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
const scope = {
  types: Type.object({
    input: Type.any,
    variables: Type.object({ limit: Type.number }),
    steps: Type.object({ read: values })
  })
}
const run = {
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

const short = (text: string) =>
  text.replaceAll(
    /\b(total|missing|name|note|paid|maybe|currency|lines|noLines|numbers|texts|loose)\b/gu,
    "steps.read.$1"
  )

const compute = (text: string) => {
  const { evaluate, problems, type } = compileExpression(text, scope)
  expect(problems).toEqual([])
  return { value: Result.getOrThrow(evaluate(run)), type: words(type) }
}

describe("values and types", () => {
  it.each<[string, unknown, string]>([
    // Numbers are numbers: whole or not, written with a point or without.
    ["1 + 2", 3, "a whole number"],
    ["total + 1", 13.5, "a number"],
    ["7 / 2", 3.5, "a number"],
    ["total > 12", true, "true or false"],
    ["total == 12.5", true, "true or false"],
    ["2 == 2.0", true, "true or false"],
    ["-total", -12.5, "a number"],
    ["7 % 4", 3, "a number"],
    ["0.1 + 0.2 < 0.31", true, "true or false"],
    ["1e308 * 10.5", Number.MAX_VALUE, "a number"],
    ["total / variables.limit", 1.25, "a number or null"],
    ["total / 0", null, "a number or null"],
    ["(1 + 2) * 3", 9, "a whole number"],
    // Texts
    [`name + "!"`, "Acme Ltd!", "text"],
    ["lower(name)", "acme ltd", "text"],
    ["name.upper()", "ACME LTD", "text"],
    [`name.contains("Ltd")`, true, "true or false"],
    [`name.startsWith("Ac") && name.endsWith("td")`, true, "true or false"],
    [`name.matches("^[A-Z]\\\\w+ Ltd$")`, true, "true or false"],
    [`name.replace("Ltd", "$& Inc")`, "Acme $& Inc", "text"],
    [`"a,b".split(",")`, ["a", "b"], "a list of texts"],
    [`texts.join("-")`, "b-a-b", "text"],
    ["name.substring(0, 4)", "Acme", "text"],
    [`name.indexOf("L")`, 5, "a whole number"],
    [`" x ".trim()`, "x", "text"],
    [`"b" > "a"`, true, "true or false"],
    [`"2026-01-31" < "2026-02-01"`, true, "true or false"],
    ["string(total)", "12.5", "text"],
    [`number("12.50")`, 12.5, "a number or null"],
    [`number("twelve")`, null, "a number or null"],
    [`int("12.9")`, 12, "a whole number or null"],
    ["int(total)", 12, "a whole number"],
    // Lists
    ["size(lines)", 2, "a whole number"],
    ["lines[1].amount", 10, "a number or null"],
    ["lines[7].amount", null, "a number or null"],
    ["sum(lines.map(l, l.amount))", 12.5, "a number or null"],
    ["sum(lines.map(l, l.quantity))", 3, "a whole number"],
    ["sum([])", 0, "a whole number"],
    ["average(numbers)", 2, "a number or null"],
    ["max(numbers)", 3, "a number or null"],
    ["min(texts)", "a", "text or null"],
    ["max(total, 20)", 20, "a number"],
    ["sort(numbers)", [1, 2, 3], "a list of numbers"],
    ["distinct(texts)", ["b", "a"], "a list of texts"],
    ["reverse(numbers)", [2, 1, 3], "a list of numbers"],
    ["first(numbers)", 3, "a number or null"],
    ["last([])", null, "null"],
    ["flatten([[1], [2, 3]])", [1, 2, 3], "a list of one of 1, 2, 3"],
    ["numbers + [4]", [3, 1, 2, 4], "a list of numbers"],
    ["lines.filter(l, l.amount > 5).map(l, l.text)", [null], "a list of text or null"],
    ["lines.map(l, l.amount > 5, l.quantity)", [2], "a list of whole numbers"],
    ["lines.all(l, l.quantity > 0)", true, "true or false"],
    ["lines.exists(l, l.quantity == 2)", true, "true or false"],
    ["lines.exists_one(l, l.quantity == 2)", true, "true or false"],
    ["numbers.map(a, numbers.map(b, a * b))[0][1]", 3, "a number or null"],
    ["2 in [1, 2]", true, "true or false"],
    [`"limit" in variables`, true, "true or false"],
    [`[1, "a", null]`, [1, "a", null], `a list of one of 1, "a" or null`],
    // Objects
    [`{"a": total, "b": [1]}.a`, 12.5, "a number"],
    [`variables["limit"]`, 10, "a number or null"],
    ["keys(variables)", ["limit"], "a list of texts"],
    ["values(variables)", [10], "a list of numbers"],
    ["json(variables)", `{"limit":10}`, "text"],
    ["loose.deep[1]", "two", "a value of unknown type"],
    // Choices
    [`paid ? "yes" : "no"`, "yes", `one of "yes", "no"`],
    [`currency == "EUR" ? 1 : 2`, 1, "one of 1, 2"],
    ["!paid", false, "true or false"],
    // Rounding
    ["round(2.5)", 3, "a whole number"],
    ["round(-2.5)", -3, "a whole number"],
    ["round(1.005, 2)", 1.01, "a number"],
    ["round(total * 1.19, 2)", 14.88, "a number"],
    ["round(1234.5, -2)", 1200, "a number"],
    ["floor(-1.5)", -2, "a whole number"],
    ["ceil(1.2)", 2, "a whole number"],
    ["abs(0 - total)", 12.5, "a number"]
  ])("%s", (text, value, type) => {
    expect(compute(short(text))).toEqual({ value, type })
  })
})

describe("null", () => {
  it.each<[string, unknown, string]>([
    ["missing + 1", null, "a number or null"],
    ["missing > 1", null, "true, false or null"],
    ["missing == 1", null, "true, false or null"],
    ["missing != 1", null, "true, false or null"],
    ["missing == missing", null, "true, false or null"],
    ["-missing", null, "a number or null"],
    ["abs(missing)", null, "a number or null"],
    ["note + name", null, "text or null"],
    [`note.contains("x")`, null, "true, false or null"],
    ["sum([1, missing])", null, "a number or null"],
    ["noLines.map(l, l.amount)", null, "a list of a number or null or null"],
    ["noLines[0].amount", null, "a number or null"],
    ["noLines.all(l, l.quantity > 0)", null, "true, false or null"],
    ["size(noLines)", null, "a whole number or null"],
    // Asking for null by its name gives an answer.
    ["missing == null", true, "true or false"],
    ["missing != null", false, "true or false"],
    ["null == missing", true, "true or false"],
    ["has(missing)", false, "true or false"],
    ["has(total)", true, "true or false"],
    // Three-valued logic: null only where the other side does not decide.
    ["maybe && true", null, "true, false or null"],
    ["maybe && false", false, "true, false or null"],
    ["false && maybe", false, "true, false or null"],
    ["maybe || true", true, "true, false or null"],
    ["maybe || false", null, "true, false or null"],
    ["!maybe", null, "true, false or null"],
    ["maybe ? 1 : 2", null, "one of 1, 2 or null"],
    ["lines.all(l, l.amount > 2.0)", true, "true, false or null"],
    ["[1, 2, null].all(x, x > 0)", null, "true, false or null"],
    ["[1, 2, null].all(x, x > 1)", false, "true, false or null"],
    ["[1, 2, null].exists(x, x > 1)", true, "true, false or null"],
    ["[1, null].exists(x, x > 1)", null, "true, false or null"],
    ["[1, null].filter(x, x > 0)", [1], "a list of 1 or null"],
    // Ways out
    ["coalesce(missing, 0)", 0, "a number"],
    ["coalesce(missing, missing, total)", 12.5, "a number"],
    ["missing == null ? 0 : missing * 2", 0, "a number"],
    ["missing != null && missing > 1", false, "true or false"],
    ["has(note) ? note : name", "Acme Ltd", "text"],
    ["missing > 1 ? missing : 1", null, "a number or null"]
  ])("%s", (text, value, type) => {
    const result = compute(short(text))
    expect({ ...result, type: result.type.replace("true or false or null", "true, false or null") }).toEqual({
      value,
      type
    })
  })
})

describe("problems", () => {
  it.each<[string, string]>([
    ["", "0: The expression is empty."],
    ["1 +", "3: The expression ends too soon."],
    ["(1", "2: The expression ends too soon."],
    [`"abc`, "0: This text has no closing quote."],
    ["1 = 2", `2: "=" does not belong here. | Equality is written "==".`],
    ["1 === 2", `4: "=" does not belong here. | Write "==".`],
    ["paid and paid", `16: "and" does not belong here. | Write "&&".`],
    ["missing ?? 0", `20: "?" does not belong here. | Write coalesce(a, b) for "a, or b if a is null".`],
    ["x", `0: Nothing is called "x" here; there is input, variables, steps.`],
    ["steps.raed.total", `6: No step is called "raed"; there is read. | Did you mean "read"?`],
    [
      "variable.limit",
      `0: Nothing is called "variable" here; there is input, variables, steps. | Did you mean "variables"?`
    ],
    [
      "read.total",
      `0: Nothing is called "read" here; there is input, variables, steps. | Did you mean "steps.read"?`
    ],
    ["total.amount", `17: steps.read.total is a number; it has no field "amount".`],
    [
      "lines.amount",
      `17: steps.read.lines is a list of objects; it has no field "amount". | Take an element, as in steps.read.lines[0], or all of them, as in steps.read.lines.map(x, x.amount).`
    ],
    [
      "lines[0].amnt",
      `20: steps.read.lines[0] has no field "amnt"; there is text, amount, quantity. | Did you mean "amount"?`
    ],
    [`lines["a"]`, `17: An element of a list is taken by its number; this is "a".`],
    ["total[0]", "0: steps.read.total is a number; it has no elements."],
    [
      "total + name",
      `0: "+" adds two numbers, two texts or two lists; here are a number and text. | Make the number a text: string(steps.read.total).`
    ],
    ["name - 1", `0: "-" works on two numbers; here are text and 1.`],
    ["name < 1", `0: "<" compares two numbers or two texts; here are text and 1.`],
    [`total == "1"`, `0: This is never true: it compares a number with "1".`],
    [`currency == "EURO"`, `0: This is never true: it compares one of "EUR", "USD" with "EURO".`],
    [`currency != "GBP"`, `0: This is always true: it compares one of "EUR", "USD" with "GBP".`],
    [`"GBP" in [currency]`, `0: This is never true: it looks for "GBP" in a list of one of "EUR", "USD".`],
    [`"a" in name`, `0: "in" looks into a list or an object; this is text. | Write text.contains(part).`],
    [
      "lines ? 1 : 2",
      `0: A condition is true or false; steps.read.lines is a list of objects. | Did you mean "size(steps.read.lines) > 0"?`
    ],
    [
      "!total",
      `1: A condition is true or false; steps.read.total is a number. | Did you mean "steps.read.total != null"?`
    ],
    ["-name", `0: "-" works on a number; steps.read.name is text.`],
    ["len(lines)", `0: There is no function "len". | Did you mean "size"?`],
    ["rund(total)", `0: There is no function "rund". | Did you mean "round"?`],
    ["round()", "0: round is called as round(number) or round(number, digits); here it has 0 arguments."],
    ["abs(name)", "4: abs wants a number; steps.read.name is text."],
    ["sum(lines)", "4: sum wants a list of numbers; steps.read.lines is a list of objects."],
    ["name.map(x, x)", "0: map works on a list; steps.read.name is text."],
    ["lines.map(1, 2)", "21: The first argument names the element, as in list.map(x, …)."],
    [
      "lines.filter(l, l.amount)",
      `27: A condition is true or false; l.amount is a number or null. | Did you mean "l.amount != null"?`
    ],
    [
      `name.matches("(")`,
      `24: This is not a regular expression that can be used: error parsing regexp: missing closing ): \`(\`.`
    ],
    ["name.matches(name)", "24: The pattern of matches is written out as a text, not computed."],
    [`{a: 1}`, `1: A key is a text in quotes. | Write {"a": …}.`],
    ["5u", "0: Bytes and unsigned numbers are not used here."],
    ["9007199254740993", "0: This number is too large to be exact."],
    ["coalesce(1)", "0: coalesce(a, b, …) takes at least two values."],
    ["constructor.constructor", `0: Nothing is called "constructor" here; there is input, variables, steps.`]
  ])("%s", (text, expected) => {
    const found = compileExpression(short(text), scope).problems.map(
      ({ message, offset, suggestion }) =>
        `${offset}: ${message}${suggestion === undefined ? "" : ` | ${suggestion}`}`
    )
    expect(found).toEqual([expected])
  })
})

describe("limits", () => {
  const big = {
    ...run,
    steps: { read: { ...run.steps.read, numbers: Array.from({ length: 2000 }, (_, index) => index) } }
  }

  it.each([
    "steps.read.numbers.map(a, steps.read.numbers.map(b, steps.read.numbers.map(c, a + b + c)))",
    `steps.read.numbers.map(a, steps.read.numbers.map(b, json(steps.read.numbers)))`,
    `string(12345).replace("", "0123456789").replace("", "0123456789").replace("", "0123456789").replace("", "0123456789").replace("", "0123456789").replace("", "0123456789").replace("", "0123456789")`
  ])("%s stops with an error, soon", (text) => {
    const { evaluate, problems } = compileExpression(text, scope)
    expect(problems).toEqual([])
    const start = performance.now()
    const result = evaluate(big)
    expect(Result.isFailure(result) && result.failure._tag).toBe("ExpressionError")
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it("takes linear time for a pattern that is slow elsewhere", () => {
    const { evaluate } = compileExpression(`steps.read.name.matches("^(a+)+$")`, scope)
    const start = performance.now()
    const result = evaluate({
      ...run,
      steps: { read: { ...run.steps.read, name: `${"a".repeat(100_000)}!` } }
    })
    expect(result).toEqual(Result.succeed(false))
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it.each([
    "!".repeat(3999),
    "-".repeat(3999),
    "(".repeat(3999),
    "[".repeat(3999),
    `1${"+1".repeat(1900)}`,
    "a.".repeat(1999),
    `${"a?b:".repeat(900)}c`
  ])("%.10s… is read in time, whatever comes of it", (text) => {
    const start = performance.now()
    compileExpression(text, scope)
    expect(performance.now() - start).toBeLessThan(500)
  })
})

describe("own properties only", () => {
  it.each([
    "input.constructor",
    "input.__proto__",
    `input["constructor"]`,
    "input.toString",
    "input.x.constructor",
    `input["__proto__"]`
  ])("%s is null", (text) => {
    const { evaluate, problems } = compileExpression(text, scope)
    if (problems.length === 0) expect(evaluate(run)).toEqual(Result.succeed(null))
    else expect(problems[0]?.message).toContain("reserved")
  })
})
