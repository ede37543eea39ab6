import { Schema } from "effect"
import { executionOperations, stepOperations } from "../types/Values.ts"

/**
 * An expression exceeded its limit: too many elements visited, or too much text produced. A checked expression can fail
 * in no other way; any other value that cannot be computed is null.
 */
export class ExpressionError extends Schema.TaggedError<ExpressionError>()("ExpressionError", {
  expression: Schema.String,
  message: Schema.String
}) {}

/** The message of an expression that found the budget of its execution used up. */
export const spentByAll = `The expressions of the execution exceed their budget of ${executionOperations} operations (limit: expressions).`

/** The message of an expression that found the budget of its step used up. */
export const spentByStep = `The expressions of the step exceed their budget of ${stepOperations} operations (limit: expressions of a step).`

/** The values of a step's expressions violate a constraint of its configuration (a pattern, a minimum). */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  path: Schema.String,
  message: Schema.String
}) {}
