import { Effect, Schema } from "effect"
import { DurationText, ElementName, StepId } from "./Words.ts"

const describe = (description: string) => ({ description })
const orElse = <A>(value: A) => Effect.succeed(value)

/** How a failed step is tried again. */
export const Retry = Schema.Struct({
  attempts: Schema.Int.check(
    Schema.isBetween(
      { minimum: 1, maximum: 20 },
      { message: "A step is tried between 1 and 20 times, the first time included." }
    )
  ).annotate(describe("How often the step is tried in all, the first time included.")),
  backoff: DurationText.annotate(describe("The wait before the second attempt; it doubles each time.")).pipe(
    Schema.withDecodingDefaultKey(orElse("1s"))
  ),
  jitter: Schema.Boolean.annotate(describe("Vary the waits at random.")).pipe(
    Schema.withDecodingDefaultKey(orElse(true))
  ),
  on: Schema.optionalKey(
    Schema.Array(
      Schema.Literals([
        "EXECUTION_FAILED",
        "PROVIDER_ERROR",
        "EXECUTION_TIMEOUT",
        "VALIDATION_ERROR",
        "INVALID_DOCUMENT"
      ])
    ).annotate(describe("The failures that are worth another attempt; without it, all of them."))
  )
})
export type Retry = typeof Retry.Type

const condition = Schema.Union([Schema.Boolean, Schema.String])

const stepList = Schema.Array(Schema.suspend((): Schema.Codec<Step, StepSource> => Step)).check(
  Schema.isMinLength(1, { message: "There is at least one step." })
)

const blockFields = {
  steps: stepList.annotate(describe("What is done, in this order.")),
  output: Schema.optionalKey(
    Schema.Json.annotate(
      describe("What the block gives, with expressions; without it, what its last step gives.")
    )
  )
}

/** Steps that belong together: a list of them, or a list with an output of its own. */
export const Block = Schema.Union([stepList, Schema.Struct(blockFields)])
export type Block = typeof Block.Type

/** Runs a block for each element of a list. */
export const ForEach = Schema.Struct({
  in: Schema.Json.annotate(describe("The list, usually an expression.")),
  as: ElementName.annotate(describe("The name of the element in expressions.")).pipe(
    Schema.withDecodingDefaultKey(orElse("item"))
  ),
  concurrency: Schema.Int.check(
    Schema.isBetween(
      { minimum: 1, maximum: 50 },
      { message: "Between 1 and 50 elements are worked on at once." }
    )
  )
    .annotate(describe("How many elements are worked on at once."))
    .pipe(Schema.withDecodingDefaultKey(orElse(1))),
  ...blockFields
})
export type ForEach = typeof ForEach.Type

/** Runs the first block whose condition holds. */
export const Switch = Schema.Struct({
  cases: Schema.Array(
    Schema.Struct({
      when: condition.annotate(describe("An expression; the first case for which it is true is run.")),
      ...blockFields
    })
  )
    .check(Schema.isMinLength(1, { message: "A switch has at least one case." }))
    .annotate(describe("The cases, judged in this order.")),
  default: Schema.optionalKey(
    Block.annotate(describe("What is run when no case holds; without it, the output is null then."))
  )
})
export type Switch = typeof Switch.Type

const stepFields = {
  id: StepId.annotate(describe("The name under which later steps find the output: steps.<id>.")),
  uses: Schema.optionalKey(Schema.String.annotate(describe("The kind of step."))),
  name: Schema.optionalKey(Schema.String.annotate(describe("What people read instead of the id."))),
  with: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate(describe("The configuration of the step."))
  ),
  parallel: Schema.optionalKey(
    Schema.Union([stepList, Schema.Record(StepId, Block)]).annotate(
      describe(
        "Branches that run side by side: steps in a list, or named blocks. The output is an object with what each branch gives."
      )
    )
  ),
  forEach: Schema.optionalKey(
    ForEach.annotate(
      describe("Runs steps for each element of a list. The output is the list of what they give.")
    )
  ),
  switch: Schema.optionalKey(
    Switch.annotate(
      describe("Runs the first case whose condition holds. The output is what that case gives.")
    )
  ),
  steps: Schema.optionalKey(
    stepList.annotate(describe("Steps that share an `if`, a `timeout`, an `onError`."))
  ),
  output: Schema.optionalKey(
    Schema.Json.annotate(
      describe("What a step with `steps` gives, with expressions; without it, what its last step gives.")
    )
  ),
  if: Schema.optionalKey(
    condition.annotate(
      describe("An expression; the step is skipped, and its output is null, unless it is true.")
    )
  ),
  timeout: Schema.optionalKey(
    DurationText.annotate(describe("The time that one attempt, or the whole block, may take."))
  ),
  retry: Schema.optionalKey(Retry.annotate(describe("How a failed attempt is tried again."))),
  cache: Schema.optionalKey(
    DurationText.annotate(
      describe(
        "For how long the output is kept and used again where the same kind of step has the same configuration, the document included. The process keeps it in memory."
      )
    )
  ),
  onError: Schema.optionalKey(
    Schema.Union([Schema.Literals(["fail", "continue"]), stepList]).annotate(
      describe(
        "fail (what holds without it): the execution fails with the step. continue: its output is null and the flow goes on. Steps: they are run instead, with `error`, and give the output."
      )
    )
  )
}

/** One step of a flow: a step kind (`uses`), or one of the forms `parallel`, `forEach`, `switch`, `steps`. */
export const Step = Schema.Struct(stepFields).annotate({ identifier: "Step" })

/** A step as its file says it, the defaults filled in. */
export interface Step extends Schema.Struct.Type<typeof stepFields> {}
/** A step as people write it. */
export interface StepSource extends Schema.Struct.Encoded<typeof stepFields> {}

/** The keys one of which says what a step does. */
export const stepForms = ["uses", "parallel", "forEach", "switch", "steps"] as const
export type StepForm = (typeof stepForms)[number]
