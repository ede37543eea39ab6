import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"

const Severity = Schema.Literals(["error", "warning"])

/** One thing that must hold. */
export const ValidateRule = Schema.Struct({
  that: Schema.NullOr(Schema.Boolean).annotate({
    description: "Condition that must be true. If it is null because a value is missing, the rule is skipped."
  }),
  else: Schema.String.annotate({ description: "Message if the condition is false." }),
  severity: Severity.annotate({
    description:
      "`error`: the execution fails with VALIDATION_ERROR. `warning`: the message is in the output of the step, and the flow continues. Default: error."
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("error" as const))),
  fields: Schema.Array(Schema.String)
    .annotate({ description: "Fields that the rule refers to." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})

/** The configuration of a `validate` step. */
export const ValidateConfig = Schema.Struct({
  rules: Schema.Array(ValidateRule).annotate({
    description: "Rules. All of them are evaluated, even if some are broken."
  })
})

const Finding = { message: Schema.String, severity: Severity, fields: Schema.Array(Schema.String) }

/** The result of a rule; `message` is its `else`, whether it holds or not. */
export const RuleResult = Schema.Struct({
  result: Schema.Literals(["holds", "broken", "skipped"]).annotate({
    description: "Whether the rule holds; `skipped` if its condition is null."
  }),
  ...Finding
})

/** The output of a `validate` step. */
export const ValidateOutput = Schema.Struct({
  valid: Schema.Boolean.annotate({
    description: "Whether every rule that could be evaluated holds, warnings included."
  }),
  problems: Schema.Array(Schema.Struct(Finding)).annotate({ description: "Rules that do not hold." }),
  judged: Schema.Int.annotate({ description: "Number of rules that were evaluated." }),
  skipped: Schema.Int.annotate({ description: "Number of rules whose condition is null." }),
  results: Schema.Array(RuleResult).annotate({
    description: "The result of every rule, in the order of the flow."
  })
})

/** A rule of severity `error` does not hold. The artifacts of the step show the result of every rule. */
export class RulesBroken extends Schema.TaggedError<RulesBroken>()("RulesBroken", {
  message: Schema.String,
  messages: Schema.Array(Schema.String),
  fields: Schema.Array(Schema.String),
  findings: ValidateOutput
}) {}

const resultOf = (rule: typeof ValidateRule.Type): typeof RuleResult.Type => ({
  result: rule.that === null ? "skipped" : rule.that ? "holds" : "broken",
  message: rule.else,
  severity: rule.severity,
  fields: rule.fields
})

const judge = ({ rules }: typeof ValidateConfig.Type): typeof ValidateOutput.Type => {
  const results = rules.map(resultOf)
  const problems = results
    .filter(({ result }) => result === "broken")
    .map(({ fields, message, severity }) => ({ message, severity, fields }))
  const skipped = results.filter(({ result }) => result === "skipped").length
  return { valid: problems.length === 0, problems, judged: rules.length - skipped, skipped, results }
}

/** Checks values against rules. */
export const validate = StepKind.make("validate", {
  description:
    "Check values against rules. A broken rule fails the execution or adds a warning. The artifacts show the result of every rule, also if the execution fails.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- id: rules
  uses: validate
  with:
    rules:
      - { that: "\${{ steps.read.pageCount <= 10 }}", else: The document has more than 10 pages., severity: warning }`,
  config: ValidateConfig,
  output: ValidateOutput,
  errors: { RulesBroken: "VALIDATION_ERROR" },
  onlyComputes: true,
  run: (config) => {
    const findings = judge(config)
    const fatal = findings.problems.filter(({ severity }) => severity === "error")
    return fatal.length > 0 ? Effect.fail(rulesBroken(fatal, findings)) : Effect.succeed(findings)
  }
})

const rulesBroken = (
  problems: (typeof ValidateOutput.Type)["problems"],
  findings: typeof ValidateOutput.Type
): RulesBroken => {
  const messages = problems.map(({ message }) => message)
  const fields = [...new Set(problems.flatMap((problem) => problem.fields))]
  return new RulesBroken({ message: messages.join(" "), messages, fields, findings })
}
