import { Schema } from "effect"
import * as StepKind from "../../dsl/StepKind.ts"
import { modelNeeded } from "./ModelNeeded.ts"

/** What a `generate` step is given. */
export const GenerateConfig = Schema.Struct({
  prompt: Schema.String.check(Schema.isNonEmpty({ message: "The prompt is empty." })).annotate({
    description: "What the model is told, usually with the text of the document in it."
  }),
  system: Schema.optionalKey(Schema.String.annotate({ description: "How the model is to behave." })),
  maxTokens: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "The longest answer."
    })
  )
})

/** What a model answered. */
export const GenerateOutput = Schema.Struct({
  text: Schema.String,
  tokensUsed: Schema.Int,
  model: Schema.String
})

/** The step kind `generate`: a model answers a prompt. */
export const generate = StepKind.make("generate", {
  description: "Lets a model answer a prompt: a summary, a translation. It needs DOCFLOW_LLM.",
  config: GenerateConfig,
  output: GenerateOutput,
  errors: { ModelNeeded: "PROVIDER_ERROR" },
  run: () => modelNeeded("A generated text needs a model")
})
