import { Schema } from "effect"

/** The administration API was asked for something that does not exist. */
export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Makes the answer for a thing that does not exist: `Organization not found`. */
export const notFound = (what: string) => () => new NotFound({ message: `${what} not found` })
