import { Predicate, Result, Schema, SchemaAST, type SchemaIssue } from "effect"
import { ConfigError, type ExpressionError } from "../expression/EvaluationErrors.ts"
import { formatPath, type Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { addSchemaProblems, schemaProblems } from "../source/SchemaProblems.ts"
import type { Scope } from "../expression/Scope.ts"
import {
  evaluateAll,
  evaluateFields,
  evaluator,
  type MapTemplate,
  type Template
} from "../expression/Template.ts"

/** Computes and decodes a configuration, or a part of one, when a flow runs. */
export type ConfigEvaluate = (scope: Scope) => Result.Result<unknown, ExpressionError | ConfigError>

/**
 * Compiles a checked template and the schema of its place into the function that makes the configuration.
 *
 * Literals of the flow are decoded here, once. Values of expressions already have the right type: they are decoded only
 * where the schema says more than types do (a pattern, a transformation), and otherwise passed on as they are.
 */
export const planConfig = (
  template: Template,
  schema: Schema.ConstraintDecoder<unknown>,
  path: Path,
  problems: Problems
): ConfigEvaluate => new Planner(problems).plan(template, schema.ast, path)

class Planner {
  readonly #problems: Problems

  constructor(problems: Problems) {
    this.#problems = problems
  }

  plan(template: Template, given: SchemaAST.AST, path: Path): ConfigEvaluate {
    const ast = unwrapped(given)
    if (template.kind === "constant") return this.#constant(template, ast, path)
    if (template.kind === "expression" && passes(ast)) return evaluator(template)
    if (template.kind === "map" && ast._tag === "Objects" && isStructural(ast))
      return this.#object(template, ast, path)
    if (template.kind === "list" && ast._tag === "Arrays" && isStructural(ast)) {
      return evaluateAll(
        template.items.map((item, index) => this.plan(item, elementOf(ast, index), [...path, index]))
      )
    }
    if (ast._tag === "Union" && isStructural(ast)) {
      const members = ast.types
        .map(unwrapped)
        .filter((member) => member._tag === (template.kind === "map" ? "Objects" : "Arrays"))
      const [only] = members
      if (only !== undefined && members.length === 1) return this.plan(template, only, path)
    }
    return decoded(evaluator(template), ast, path)
  }

  #constant(template: Template & { kind: "constant" }, ast: SchemaAST.AST, path: Path): ConfigEvaluate {
    const result = decode(ast, template.value)
    if (Result.isSuccess(result)) {
      const value = Result.succeed(result.success)
      return () => value
    }
    addSchemaProblems(this.#problems, result.failure, template.node, path)
    const failure = Result.fail(configError(result.failure, path))
    return () => failure
  }

  /**
   * Fields without expressions, and defaults of absent fields, are decoded together; the others one by one during a
   * run.
   */
  #object(template: MapTemplate, ast: SchemaAST.Objects, path: Path): ConfigEvaluate {
    const known = new Map(ast.propertySignatures.map((signature) => [signature.name, signature]))
    const fixed: { [name: string]: unknown } = {}
    const fields = [...template.entries].flatMap(([name, { value, omitNull }]) => {
      if (value.kind === "constant") {
        if (value.value !== null || !omitNull) fixed[name] = value.value
        return []
      }
      const type = known.get(name)?.type ?? ast.indexSignatures[0]?.type
      if (type === undefined) return []
      return [{ name, omitNull, evaluate: this.plan(value, type, [...path, name]) }]
    })
    const names = new Set(fields.map(({ name }) => name))
    const rest = ast.propertySignatures.filter((signature) => !names.has(String(signature.name)))
    const result = decode(new SchemaAST.Objects(rest, ast.indexSignatures), fixed)
    if (Result.isSuccess(result))
      return evaluateFields(fields, Predicate.isObject(result.success) ? { ...result.success } : {})
    addSchemaProblems(this.#problems, result.failure, template.node, path)
    const failure = Result.fail(configError(result.failure, path))
    return () => failure
  }
}

const unwrapped = (ast: SchemaAST.AST): SchemaAST.AST =>
  ast._tag === "Suspend" ? unwrapped(ast.thunk()) : ast

/** Whether a value of the right type needs no decoding. */
const passes = (ast: SchemaAST.AST): boolean => {
  if (ast.checks !== undefined || SchemaAST.toType(ast) !== ast) return false
  return ast._tag !== "Union" || ast.types.every((member) => passes(unwrapped(member)))
}

/** Whether decoding the whole is the same as decoding its parts. */
const isStructural = (ast: SchemaAST.AST): boolean => ast.encoding === undefined && ast.checks === undefined

const elementOf = (ast: SchemaAST.Arrays, index: number): SchemaAST.AST =>
  ast.elements[index] ?? ast.rest[0] ?? SchemaAST.unknown

const decoded = (
  evaluate: (scope: Scope) => Result.Result<unknown, ExpressionError>,
  ast: SchemaAST.AST,
  path: Path
): ConfigEvaluate => {
  const run = decoder(ast)
  return (scope) =>
    Result.flatMap(evaluate(scope), (value): Result.Result<unknown, ConfigError> =>
      Result.mapError(run(value), (issue) => configError(issue, path))
    )
}

const decoder = (ast: SchemaAST.AST) => {
  const schema: Schema.Codec<unknown> = Schema.make(ast)
  const run = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (value: unknown): Result.Result<unknown, SchemaIssue.Issue> =>
    Result.mapError(run(value), (error) => error.issue)
}

const decode = (ast: SchemaAST.AST, value: unknown) => decoder(ast)(value)

const configError = (issue: SchemaIssue.Issue, path: Path): ConfigError => {
  const [first] = schemaProblems(issue)
  return new ConfigError({
    path: formatPath([...path, ...(first?.path ?? [])]),
    message: first?.message ?? "The configuration does not fit."
  })
}
