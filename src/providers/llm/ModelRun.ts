import { Context, type Effect } from "effect"
import type { LlmAnswer } from "./Llm.ts"
import type { ModelAllowance } from "./ModelAllowance.ts"

/** The answers that an execution has got, by the hash of their request: nobody pays for them again. */
export interface KeptAnswers {
  readonly byRequest: Map<string, LlmAnswer>
  /** Stores one more with the execution. */
  readonly keep: (request: string, answer: LlmAnswer) => Effect.Effect<void>
}

/** The execution for which a model is asked. */
export class ModelRun extends Context.Reference<{
  /** Providers share their places by it; empty outside a service. */
  readonly organization: string
  readonly flow?: string
  readonly answers?: KeptAnswers
  readonly allowance?: ModelAllowance
}>("docflow/providers/ModelRun", { defaultValue: () => ({ organization: "" }) }) {}
