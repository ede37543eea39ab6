import { Schema } from "effect"

/**
 * The request was not sent: the address is not allowed, a secret is not set, or a value cannot be part of the address.
 */
export class LookupRefused extends Schema.TaggedError<LookupRefused>()("LookupRefused", {
  message: Schema.String
}) {}

/** The server returned no usable response. The message contains nothing that it sent. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", {
  message: Schema.String
}) {}
