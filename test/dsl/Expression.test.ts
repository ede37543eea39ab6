import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { compileExpression } from "../../dsl/expression/Expression.ts"
import { describe as words } from "../../dsl/types/TypeDescribe.ts"
import { run, scope, short } from "./ExpressionSamples.ts"

const compute = (text: string) => {
  const { evaluate, problems, type } = compileExpression(text, scope)
  expect(problems).toEqual([])
  return { value: Result.getOrThrow(evaluate(run)), type: words(type) }
}

describe("values and types", () => {
  it.each<[string, unknown, string]>([
    // Numbers are numbers: whole or not, written with a point or without.
    ["1 + 2", 3, "an integer"],
    ["total + 1", 13.5, "a number"],
    ["7 / 2", 3.5, "a number"],
    ["total > 12", true, "a boolean"],
    ["total == 12.5", true, "a boolean"],
    ["2 == 2.0", true, "a boolean"],
    ["-total", -12.5, "a number"],
    ["7 % 4", 3, "a number"],
    ["0.1 + 0.2 < 0.31", true, "a boolean"],
    ["1e308 * 10.5", Number.MAX_VALUE, "a number"],
    ["total / variables.limit", 1.25, "a number or null"],
    ["total / 0", null, "a number or null"],
    ["(1 + 2) * 3", 9, "an integer"],
    // Texts
    [`name + "!"`, "Acme Ltd!", "a string"],
    ["lower(name)", "acme ltd", "a string"],
    ["name.upper()", "ACME LTD", "a string"],
    [`name.contains("Ltd")`, true, "a boolean"],
    [`name.startsWith("Ac") && name.endsWith("td")`, true, "a boolean"],
    [`name.matches("^[A-Z]\\\\w+ Ltd$")`, true, "a boolean"],
    [`name.replace("Ltd", "$& Inc")`, "Acme $& Inc", "a string"],
    [`"a,b".split(",")`, ["a", "b"], "an array of strings"],
    [`texts.join("-")`, "b-a-b", "a string"],
    ["name.substring(0, 4)", "Acme", "a string"],
    [`name.indexOf("L")`, 5, "an integer"],
    [`" x ".trim()`, "x", "a string"],
    [`"b" > "a"`, true, "a boolean"],
    [`"2026-01-31" < "2026-02-01"`, true, "a boolean"],
    ["string(total)", "12.5", "a string"],
    [`number("12.50")`, 12.5, "a number or null"],
    [`number("twelve")`, null, "a number or null"],
    [`int("12.9")`, 12, "an integer or null"],
    ["int(total)", 12, "an integer"],
    // Lists
    ["size(lines)", 2, "an integer"],
    ["lines[1].amount", 10, "a number or null"],
    ["lines[7].amount", null, "a number or null"],
    ["sum(lines.map(l, l.amount))", 12.5, "a number or null"],
    ["sum(lines.map(l, l.quantity))", 3, "an integer"],
    ["sum([])", 0, "an integer"],
    ["average(numbers)", 2, "a number or null"],
    ["max(numbers)", 3, "a number or null"],
    ["min(texts)", "a", "a string or null"],
    ["max(total, 20)", 20, "a number"],
    ["sort(numbers)", [1, 2, 3], "an array of numbers"],
    ["distinct(texts)", ["b", "a"], "an array of strings"],
    ["reverse(numbers)", [2, 1, 3], "an array of numbers"],
    ["first(numbers)", 3, "a number or null"],
    ["last([])", null, "null"],
    ["flatten([[1], [2, 3]])", [1, 2, 3], "an array of one of 1, 2, 3"],
    ["numbers + [4]", [3, 1, 2, 4], "an array of numbers"],
    ["lines.filter(l, l.amount > 5).map(l, l.text)", [null], "an array of strings or null"],
    ["lines.map(l, l.amount > 5, l.quantity)", [2], "an array of integers"],
    ["lines.all(l, l.quantity > 0)", true, "a boolean"],
    ["lines.exists(l, l.quantity == 2)", true, "a boolean"],
    ["lines.exists_one(l, l.quantity == 2)", true, "a boolean"],
    ["numbers.map(a, numbers.map(b, a * b))[0][1]", 3, "a number or null"],
    ["2 in [1, 2]", true, "a boolean"],
    [`"limit" in variables`, true, "a boolean"],
    [`[1, "a", null]`, [1, "a", null], `an array of one of 1, "a" or null`],
    // Objects
    [`{"a": total, "b": [1]}.a`, 12.5, "a number"],
    [`variables["limit"]`, 10, "a number or null"],
    ["keys(variables)", ["limit"], "an array of strings"],
    ["values(variables)", [10], "an array of numbers"],
    ["json(variables)", `{"limit":10}`, "a string"],
    ["loose.deep[1]", "two", "a value of unknown type"],
    // Choices
    [`paid ? "yes" : "no"`, "yes", `one of "yes", "no"`],
    [`currency == "EUR" ? 1 : 2`, 1, "one of 1, 2"],
    ["!paid", false, "a boolean"],
    // Rounding
    ["round(2.5)", 3, "an integer"],
    ["round(-2.5)", -3, "an integer"],
    ["round(1.005, 2)", 1.01, "a number"],
    ["round(total * 1.19, 2)", 14.88, "a number"],
    ["round(1234.5, -2)", 1200, "a number"],
    ["floor(-1.5)", -2, "an integer"],
    ["ceil(1.2)", 2, "an integer"],
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
    ["note + name", null, "a string or null"],
    [`note.contains("x")`, null, "true, false or null"],
    ["sum([1, missing])", null, "a number or null"],
    ["noLines.map(l, l.amount)", null, "an array of numbers or null or null"],
    ["noLines[0].amount", null, "a number or null"],
    ["noLines.all(l, l.quantity > 0)", null, "true, false or null"],
    ["size(noLines)", null, "an integer or null"],
    // Asking for null by its name gives an answer.
    ["missing == null", true, "a boolean"],
    ["missing != null", false, "a boolean"],
    ["null == missing", true, "a boolean"],
    ["has(missing)", false, "a boolean"],
    ["has(total)", true, "a boolean"],
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
    ["[1, null].filter(x, x > 0)", [1], "an array of 1 or null"],
    // Ways out
    ["coalesce(missing, 0)", 0, "a number"],
    ["coalesce(missing, missing, total)", 12.5, "a number"],
    ["missing == null ? 0 : missing * 2", 0, "a number"],
    ["missing != null && missing > 1", false, "a boolean"],
    ["has(note) ? note : name", "Acme Ltd", "a string"],
    ["missing > 1 ? missing : 1", null, "a number or null"]
  ])("%s", (text, value, type) => {
    const result = compute(short(text))
    expect({ ...result, type: result.type.replace("a boolean or null", "true, false or null") }).toEqual({
      value,
      type
    })
  })
})
