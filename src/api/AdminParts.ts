import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { envelope } from "./ErrorEnvelope.ts"
import { NotFound } from "./NotFound.ts"

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
