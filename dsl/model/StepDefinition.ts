import { Effect, Schema } from "effect"
import { FailureCode } from "../../src/domain/FailureCode.ts"
import { DurationText, ElementName, StepId } from "./Words.ts"

const describe = (description: string) => ({ description })
const orElse = <A>(value: A) => Effect.succeed(value)

/** How a failed step is retried. */
export const Retry = Schema.Struct({
  attempts: Schema.Int.check(
    Schema.isBetween(
      { minimum: 1, maximum: 20 },
      { message: "attempts must be between 1 and 20; it counts the first one." }
    )
  ).annotate(describe("Maximum number of attempts, the first one included.")),
  backoff: DurationText.annotate(
    describe("Wait before the second attempt. It doubles with each further attempt.")
  ).pipe(Schema.withDecodingDefaultKey(orElse("1s"))),
  jitter: Schema.Boolean.annotate(describe("Whether to vary the waits at random.")).pipe(
    Schema.withDecodingDefaultKey(orElse(true))
  ),
  on: Schema.optionalKey(Schema.Array(FailureCode).annotate(describe("Failures to retry. Default: all.")))
})
export type Retry = typeof Retry.Type

const condition = Schema.Union([Schema.Boolean, Schema.String])

const stepList = Schema.Array(Schema.suspend((): Schema.Codec<Step, StepSource> => Step)).check(
  Schema.isMinLength(1, { message: "At least one step is required." })
)

const blockFields = {
  steps: stepList.annotate(describe("Steps to run, in this order.")),
  output: Schema.optionalKey(
    Schema.Json.annotate(
      describe("Output of the block, with expressions. Default: the output of its last step.")
    )
  )
}

/** Steps that belong together: an array of them, or an array with an output of its own. */
export const Block = Schema.Union([stepList, Schema.Struct(blockFields)])
export type Block = typeof Block.Type

/** Runs a block for each element of an array. */
export const ForEach = Schema.Struct({
  in: Schema.Json.annotate(describe("Array to loop over, usually an expression.")),
  as: ElementName.annotate(describe("Name of the current element in expressions.")).pipe(
    Schema.withDecodingDefaultKey(orElse("item"))
  ),
  concurrency: Schema.Int.check(
    Schema.isBetween({ minimum: 1, maximum: 50 }, { message: "concurrency must be between 1 and 50." })
  )
    .annotate(describe("Maximum number of elements to process at the same time."))
    .pipe(Schema.withDecodingDefaultKey(orElse(1))),
  ...blockFields
})
export type ForEach = typeof ForEach.Type

/** Runs the first block whose condition holds. */
export const Switch = Schema.Struct({
  cases: Schema.Array(
    Schema.Struct({
      when: condition.annotate(describe("Condition. The first case whose condition is true runs.")),
      ...blockFields
    })
  )
    .check(Schema.isMinLength(1, { message: "A switch needs at least one case." }))
    .annotate(describe("Cases, evaluated in this order.")),
  default: Schema.optionalKey(
    Block.annotate(describe("Steps to run if no case matches. If omitted, the output is null."))
  )
})
export type Switch = typeof Switch.Type

const stepFields = {
  id: StepId.annotate(describe("Name of the step. Later steps refer to its output as steps.<id>.")),
  uses: Schema.optionalKey(Schema.String.annotate(describe("Step kind."))),
  name: Schema.optionalKey(Schema.String.annotate(describe("Display name. Default: the id."))),
  with: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate(describe("Configuration of the step."))
  ),
  parallel: Schema.optionalKey(
    Schema.Union([stepList, Schema.Record(StepId, Block)]).annotate(
      describe(
        "Branches to run in parallel: an array of steps, or named blocks. The output is an object with the output of each branch."
      )
    )
  ),
  forEach: Schema.optionalKey(
    ForEach.annotate(
      describe("Steps to run for each element of an array. The output is the array of their outputs.")
    )
  ),
  switch: Schema.optionalKey(
    Switch.annotate(
      describe("Cases of which the first with a true condition runs. The output is the output of that case.")
    )
  ),
  steps: Schema.optionalKey(
    stepList.annotate(describe("Steps that share an `if`, a `timeout` or an `onError`."))
  ),
  output: Schema.optionalKey(
    Schema.Json.annotate(
      describe("Output of a step with `steps`, with expressions. Default: the output of its last step.")
    )
  ),
  if: Schema.optionalKey(
    condition.annotate(describe("Condition. Unless it is true, the step is skipped and its output is null."))
  ),
  timeout: Schema.optionalKey(
    DurationText.annotate(describe("Time limit of one attempt, or of the whole block."))
  ),
  retry: Schema.optionalKey(Retry.annotate(describe("Retries of failed attempts."))),
  cache: Schema.optionalKey(
    DurationText.annotate(
      describe(
        "How long to reuse the output for the same step kind, configuration and document of an organization. Kept in the memory of the process."
      )
    )
  ),
  onError: Schema.optionalKey(
    Schema.Union([Schema.Literals(["fail", "continue"]), stepList]).annotate(
      describe(
        "What to do if the step fails. `fail`: the execution fails. `continue`: the output is null and the flow continues. Steps: they run instead, can use `error`, and their output is the output of the step. Default: fail."
      )
    )
  )
}

/** One step of a flow: a step kind (`uses`) or a control step (`parallel`, `forEach`, `switch`, `steps`). */
export const Step = Schema.Struct(stepFields).annotate({ identifier: "Step" })

/** A step as data, with the defaults filled in. */
export interface Step extends Schema.Struct.Type<typeof stepFields> {}
/** A step as authors write it. */
export interface StepSource extends Schema.Struct.Encoded<typeof stepFields> {}

/** The keys that say what a step does; a step has exactly one of them. */
export const actionKeys = ["uses", "parallel", "forEach", "switch", "steps"] as const
export type ActionKey = (typeof actionKeys)[number]
