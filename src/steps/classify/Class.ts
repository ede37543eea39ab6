import { Schema } from "effect"
import { documentKinds } from "../../extraction/lexicon/DocumentKinds.ts"

/** The signs of documents of a class. */
export const Class = Schema.Struct({
  keywords: Schema.optionalKey(
    Schema.Array(Schema.String)
      .check(Schema.isMinLength(1, { message: "A class needs at least one keyword." }))
      .annotate({
        description:
          "Words or phrases in documents of this class. Case and accents are ignored. If omitted, only a model can find the class."
      })
  ),
  kinds: Schema.optionalKey(
    Schema.Array(Schema.Literals(documentKinds))
      .check(Schema.isMinLength(1, { message: "List at least one kind." }))
      .annotate({
        description:
          "Kinds of documents that docflow recognises by itself, in the languages of its lexicon: `[invoice, credit-note]`. The class gets ten points times the probability of these kinds."
      })
  ),
  not: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Words or phrases that rule out this class." })
  ),
  description: Schema.optionalKey(
    Schema.String.annotate({ description: "Description of the class for a model, in one sentence." })
  )
})

export type Class = typeof Class.Type

/** Classes by their names. */
export const Classes = Schema.Record(Schema.String, Class)
export type Classes = typeof Classes.Type
