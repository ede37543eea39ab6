import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/StepKind.ts"

const Severity = Schema.Literals(["error", "warning"])

/** One thing that must hold. */
export const ValidateRule = Schema.Struct({
  that: Schema.NullOr(Schema.Boolean).annotate({
    description:
      "What must be true. Null, because a value is missing, means that it cannot be judged: the rule is skipped."
  }),
  else: Schema.String.annotate({ description: "What is said when it is not." }),
  severity: Severity.annotate({
    description: "error: the execution fails. warning: the problem is in the output of the step."
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("error" as const))),
  fields: Schema.Array(Schema.String)
    .annotate({ description: "The fields that the rule is about." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})

/** What `with` of a `validate` step holds. */
export const ValidateConfig = Schema.Struct({
  rules: Schema.Array(ValidateRule).annotate({ description: "What must hold, judged one by one." })
})

/** What a `validate` step found. */
export const ValidateOutput = Schema.Struct({
  /** Whether every rule that could be judged holds, warnings included. */
  valid: Schema.Boolean,
  problems: Schema.Array(
    Schema.Struct({ message: Schema.String, severity: Severity, fields: Schema.Array(Schema.String) })
  ),
  /** How many rules were judged, and how many could not be. */
  judged: Schema.Int,
  skipped: Schema.Int
})

/** A rule of severity `error` does not hold. */
export class RulesBroken extends Schema.TaggedError<RulesBroken>()("RulesBroken", {
  message: Schema.String,
  messages: Schema.Array(Schema.String),
  fields: Schema.Array(Schema.String)
}) {}

/** Checks values against rules. */
export const validate = StepKind.make("validate", {
  description: "Checks values against rules: a broken rule fails the execution, or is reported as a warning.",
  config: ValidateConfig,
  output: ValidateOutput,
  errors: { RulesBroken: "VALIDATION_ERROR" },
  run: ({ rules }) => {
    const problems = rules
      .filter(({ that }) => that === false)
      .map((rule) => ({ message: rule.else, severity: rule.severity, fields: rule.fields }))
    const fatal = problems.filter(({ severity }) => severity === "error")
    const skipped = rules.filter(({ that }) => that === null).length
    return fatal.length > 0
      ? Effect.fail(rulesBroken(fatal))
      : Effect.succeed({ valid: problems.length === 0, problems, judged: rules.length - skipped, skipped })
  }
})

const rulesBroken = (
  problems: ReadonlyArray<{ readonly message: string; readonly fields: ReadonlyArray<string> }>
): RulesBroken => {
  const messages = problems.map(({ message }) => message)
  const fields = [...new Set(problems.flatMap((problem) => problem.fields))]
  return new RulesBroken({ message: messages.join(" "), messages, fields })
}
