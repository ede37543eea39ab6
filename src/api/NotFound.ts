import { Schema } from "effect"

/** The resource does not exist; used by the administration API. */
export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The error for a resource that does not exist: `Organization not found`. */
export const notFound = (what: string) => () => new NotFound({ message: `${what} not found` })
