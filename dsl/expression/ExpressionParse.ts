import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js"
import { Result } from "effect"

/** A mistake in the text of an expression; `offset` counts from the expression's first character. */
export interface SyntaxProblem {
  readonly offset: number
  readonly message: string
  readonly suggestion?: string
}

const longest = 4000

// Only the library's parser is used: its evaluator has bigints, and null does not propagate.
const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 2000, maxDepth: 60 }
})

/** Parses one CEL expression. */
export const parseExpression = (text: string): Result.Result<ASTNode, SyntaxProblem> => {
  if (text.trim() === "") return Result.fail({ offset: 0, message: "The expression is empty." })
  if (text.length > longest) {
    return Result.fail({
      offset: 0,
      message: `The expression is longer than ${longest} characters, the limit.`
    })
  }
  return Result.try({ try: () => environment.parse(text).ast, catch: (cause) => syntaxProblem(text, cause) })
}

const syntaxProblem = (text: string, cause: unknown): SyntaxProblem => {
  if (!(cause instanceof ParseError)) return { offset: 0, message: "The expression cannot be parsed." }
  const offset = Math.min(cause.range?.start ?? 0, text.length)
  return { offset, message: wording(text, offset, cause), ...advice(text, offset) }
}

const wording = (text: string, offset: number, error: ParseError): string => {
  if (offset >= text.trimEnd().length) return "The expression is incomplete."
  switch (error.code) {
    case "unterminated_string":
    case "unterminated_triple_quoted_string":
      return "Missing closing quote."
    case "expected_token":
    case "unexpected_token":
    case "unexpected_character":
      return `"${/^(?:\w+|.)/u.exec(text.slice(offset))?.[0] ?? ""}" does not belong here.`
    case "reserved_identifier":
      return `"${/^\w+/u.exec(text.slice(offset))?.[0] ?? ""}" is a reserved word of CEL.`
    case "invalid_macro_argument":
      return "The first argument names the element, as in list.map(x, …)."
    case "limit_exceeded":
      return "The expression is too complex. Split it over several steps."
    default:
      return `${error.summary.replace(/\.?$/u, "")}.`
  }
}

const otherLanguages: ReadonlyArray<readonly [RegExp, string]> = [
  [/^===/u, 'Write "==".'],
  [/^!==/u, 'Write "!=".'],
  [/^=(?!=)/u, 'Equality is written "==".'],
  [/^\?\?/u, 'For "a, or b if a is null", write coalesce(a, b).'],
  [/^(?:\?\.|\.\?)/u, 'A plain "." is enough: a field of null is null.'],
  [/^and\b/u, 'Write "&&".'],
  [/^or\b/u, 'Write "||".'],
  [/^not\b/u, 'Write "!".'],
  [/^\|(?!\|)/u, "There are no pipes. Call a function: lower(x)."],
  [/^=>/u, "Write list.map(x, …) instead of a function."]
]

const advice = (text: string, offset: number): { readonly suggestion?: string } => {
  for (const start of [offset - 2, offset - 1, offset]) {
    const rest = text.slice(Math.max(0, start))
    const found = otherLanguages.find(([pattern]) => pattern.test(rest))
    if (found !== undefined) return { suggestion: found[1] }
  }
  return {}
}
