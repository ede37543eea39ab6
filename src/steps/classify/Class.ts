import { Schema } from "effect"

/** What tells the documents of a class. */
export const Class = Schema.Struct({
  keywords: Schema.optionalKey(
    Schema.Array(Schema.String)
      .check(Schema.isMinLength(1, { message: "A class has at least one keyword." }))
      .annotate({
        description:
          "Words or phrases of such a document; case and accents do not matter. Without them, only a model finds the class."
      })
  ),
  not: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Words or phrases that such a document never has." })
  ),
  description: Schema.optionalKey(
    Schema.String.annotate({ description: "What such a document is, for a model, in a sentence." })
  )
})

/** Classes by their names. */
export const Classes = Schema.Record(Schema.String, Class)
export type Classes = typeof Classes.Type
