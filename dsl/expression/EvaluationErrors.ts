import { Schema } from "effect"
import { executionOperations, stepOperations } from "../types/Values.ts"

/**
 * An expression was stopped because it did too much: that many elements visited, or that much text made. It is the only
 * way in which a checked expression can fail; everything else that cannot be computed is null.
 */
export class ExpressionError extends Schema.TaggedError<ExpressionError>()("ExpressionError", {
  expression: Schema.String,
  message: Schema.String
}) {}

/** The message of an expression that came too late: those before it did all that an execution may do. */
export const spentByAll = `The expressions of the execution exceed their budget of ${executionOperations} operations (limit: expressions).`

/** The message of an expression for which the others of its step leave nothing. */
export const spentByStep = `The expressions of the step exceed their budget of ${stepOperations} operations (limit: expressions of a step).`

/** What a step's expressions gave does not fit the constraints of its configuration (a pattern, a minimum). */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  path: Schema.String,
  message: Schema.String
}) {}
