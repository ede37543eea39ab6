import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { envelope } from "./ErrorEnvelope.ts"

/** The resource does not exist; used by the administration API. */
export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The error for a resource that does not exist: `Organization not found`. */
export const notFound = (what: string) => () => new NotFound({ message: `${what} not found` })

/** An id in a path or query; refuses text that PostgreSQL cannot compare. */
export const id = Schema.String.check(
  Schema.isPattern(/^[\w.-]{1,100}$/u, { message: "must be 1 to 100 letters, digits and . _ -" })
)

/** The answer 404 of the administration API. */
export const missing = envelope(NotFound, "INVALID_INPUT")

/** The members of a list of which a part is returned. */
export const page = { total: Schema.Int, limit: Schema.Int, offset: Schema.Int }

/** What the OpenAPI document says an endpoint does. */
export const summary = (text: string) => OpenApi.annotations({ summary: text })
