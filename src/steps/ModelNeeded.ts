import { Schema } from "effect"

/** A step needs a model, and none is set. */
export class ModelNeeded extends Schema.TaggedError<ModelNeeded>()("ModelNeeded", {
  message: Schema.String
}) {}

/** Fails because of what only a model could do. */
export const modelNeeded = (why: string): ModelNeeded =>
  new ModelNeeded({ message: `${why}, and no model is set; set DOCFLOW_LLM.` })
