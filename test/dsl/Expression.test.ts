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
