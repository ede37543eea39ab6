import { Schema } from "effect"

/** The output `tokensUsed` of a step that may ask a model. */
export const TokensUsed = Schema.Int.annotate({
  description: "Tokens of all requests to models and their answers; 0 if none was asked."
})

/** The output `model` of a step that may ask a model. */
export const ModelUsed = Schema.NullOr(Schema.String).annotate({
  description: "Name of the model that answered; null if none was asked."
})
