import type { FlowStep } from "./FlowBuilder.ts"
import { type LastOutput, sources, type Steps } from "./ControlStepBuilders.ts"
import { Ref } from "./Ref.ts"

/** What the steps of a handler see of the failure that they handle. */
export interface HandledError {
  readonly code: string
  readonly message: string
  readonly step: string
}

/** The flow goes on when the step fails: its output is null then. For steps and forms alike. */
export const orNull = <Output>({ output, source }: FlowStep<Output>): FlowStep<Output | null> => ({
  source: { ...source, onError: "continue" },
  output: new Ref(output.expression)
})

/** Other steps are run when the step fails, and give its output. For steps and forms alike. */
export const orElse = <Output, const Handler extends Steps>(
  { output, source }: FlowStep<Output>,
  handler: (error: Ref<HandledError>) => Handler
): FlowStep<Output | LastOutput<Handler>> => ({
  source: { ...source, onError: sources(handler(new Ref("error"))) },
  output: new Ref(output.expression)
})
