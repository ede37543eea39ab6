import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { compileExpression } from "../../dsl/expression/Expression.ts"
import { withinCpuMs } from "../support/CpuTime.ts"
import { run, scope, short } from "./ExpressionSamples.ts"

describe("problems", () => {
  it.each<[string, string]>([
    ["", "0: The expression is empty."],
    ["1 +", "3: The expression is incomplete."],
    ["(1", "2: The expression is incomplete."],
    [`"abc`, "0: Missing closing quote."],
    ["1 = 2", `2: "=" does not belong here. | Equality is written "==".`],
    ["1 === 2", `4: "=" does not belong here. | Write "==".`],
    ["paid and paid", `16: "and" does not belong here. | Write "&&".`],
    ["missing ?? 0", `20: "?" does not belong here. | For "a, or b if a is null", write coalesce(a, b).`],
    ["x", `0: Unknown name "x". Available: input, variables, steps.`],
    ["steps.raed.total", `6: No step is called "raed"; available: read. | Did you mean "read"?`],
    [
      "variable.limit",
      `0: Unknown name "variable". Available: input, variables, steps. | Did you mean "variables"?`
    ],
    [
      "read.total",
      `0: Unknown name "read". Available: input, variables, steps. | Did you mean "steps.read"?`
    ],
    ["total.amount", `17: steps.read.total is a number; it has no field "amount".`],
    [
      "lines.amount",
      `17: steps.read.lines is an array of objects; it has no field "amount". | Take an element, as in steps.read.lines[0], or all of them, as in steps.read.lines.map(x, x.amount).`
    ],
    [
      "lines[0].amnt",
      `20: steps.read.lines[0] has no field "amnt"; available: text, amount, quantity. | Did you mean "amount"?`
    ],
    [`lines["a"]`, `17: An array index must be a number; this is "a".`],
    ["total[0]", "0: steps.read.total is a number; it has no elements."],
    [
      "total + name",
      `0: "+" adds two numbers, two strings or two arrays; these are a number and a string. | Convert the number: string(steps.read.total).`
    ],
    ["name - 1", `0: "-" takes two numbers; these are a string and 1.`],
    ["name < 1", `0: "<" compares two numbers or two strings; these are a string and 1.`],
    [`total == "1"`, `0: This is never true: it compares a number with "1".`],
    [`currency == "EURO"`, `0: This is never true: it compares one of "EUR", "USD" with "EURO".`],
    [`currency != "GBP"`, `0: This is always true: it compares one of "EUR", "USD" with "GBP".`],
    [`"GBP" in [currency]`, `0: This is never true: it looks for "GBP" in an array of one of "EUR", "USD".`],
    [
      `"a" in name`,
      `0: "in" takes an array or an object on the right; this is a string. | Write text.contains(part).`
    ],
    [
      "lines ? 1 : 2",
      `0: A condition must be a boolean; steps.read.lines is an array of objects. | Did you mean "size(steps.read.lines) > 0"?`
    ],
    [
      "!total",
      `1: A condition must be a boolean; steps.read.total is a number. | Did you mean "steps.read.total != null"?`
    ],
    ["-name", `0: "-" takes a number; steps.read.name is a string.`],
    ["len(lines)", `0: Unknown function "len". | Did you mean "size"?`],
    ["rund(total)", `0: Unknown function "rund". | Did you mean "round"?`],
    [
      "round()",
      "0: round must be called as round(number) or round(number, digits); here it has 0 arguments."
    ],
    ["abs(name)", "4: abs takes a number; steps.read.name is a string."],
    ["sum(lines)", "4: sum takes an array of numbers; steps.read.lines is an array of objects."],
    ["name.map(x, x)", "0: map takes an array; steps.read.name is a string."],
    ["lines.map(1, 2)", "21: The first argument names the element, as in list.map(x, …)."],
    [
      "lines.filter(l, l.amount)",
      `27: A condition must be a boolean; l.amount is a number or null. | Did you mean "l.amount != null"?`
    ],
    [
      `name.matches("(")`,
      `24: Unsupported regular expression: error parsing regexp: missing closing ): \`(\`.`
    ],
    ["name.matches(name)", "24: The pattern of matches must be a literal string."],
    [`{a: 1}`, `1: A key must be a string in quotes. | Write {"a": …}.`],
    ["5u", "0: Bytes and unsigned numbers are not supported."],
    ["9007199254740993", "0: This number is too large to be exact."],
    ["coalesce(1)", "0: coalesce(a, b, …) needs at least two arguments."],
    ["constructor.constructor", `0: Unknown name "constructor". Available: input, variables, steps.`]
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
    const result = withinCpuMs(2000, () => evaluate(big))
    expect(Result.isFailure(result) && result.failure._tag).toBe("ExpressionError")
  })

  it("takes linear time for a pattern that is slow elsewhere", () => {
    const { evaluate } = compileExpression(`steps.read.name.matches("^(a+)+$")`, scope)
    const values = { ...run, steps: { read: { ...run.steps.read, name: `${"a".repeat(100_000)}!` } } }
    expect(withinCpuMs(2000, () => evaluate(values))).toEqual(Result.succeed(false))
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
    withinCpuMs(2000, () => compileExpression(text, scope))
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
