import type { FlowStep } from "./FlowBuilder.ts"
import { type LastOutput, sources, type Steps } from "./ControlStepBuilders.ts"
import { Ref } from "./Ref.ts"

/** The failure, as the steps of its handler see it. */
export interface HandledError {
  readonly code: string
  readonly message: string
  readonly step: string
}

/** If the step fails, the flow continues with null as its output. For all steps, control steps included. */
export const orNull = <Output>({ output, source }: FlowStep<Output>): FlowStep<Output | null> => ({
  source: { ...source, onError: "continue" },
  output: new Ref(output.expression)
})

/** If the step fails, other steps run and produce its output. For all steps, control steps included. */
export const orElse = <Output, const Handler extends Steps>(
  { output, source }: FlowStep<Output>,
  handler: (error: Ref<HandledError>) => Handler
): FlowStep<Output | LastOutput<Handler>> => ({
  source: { ...source, onError: sources(handler(new Ref("error"))) },
  output: new Ref(output.expression)
})
