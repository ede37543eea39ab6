import { Schema } from "effect"

/**
 * An expression was stopped because it did too much: that many elements visited, or that much text made. It is the only
 * way in which a checked expression can fail; everything else that cannot be computed is null.
 */
export class ExpressionError extends Schema.TaggedError<ExpressionError>()("ExpressionError", {
  expression: Schema.String,
  message: Schema.String
}) {}

/** What a step's expressions gave does not fit the constraints of its configuration (a pattern, a minimum). */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  path: Schema.String,
  message: Schema.String
}) {}
