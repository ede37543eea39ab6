import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"

/** The step kind `initials`: the initials of a name. */
export const initials = StepKind.make("initials", {
  description: "Return the initials of a name.",
  config: Schema.Struct({
    name: Schema.String.annotate({ description: "Name, with spaces between its parts." })
  }),
  output: Schema.Struct({ initials: Schema.String }),
  errors: {},
  run: ({ name }) =>
    Effect.succeed({
      initials: name
        .split(/\s+/u)
        .map((part) => part.charAt(0))
        .join("")
    })
})
