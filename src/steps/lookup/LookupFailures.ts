import { Schema } from "effect"

/** Nothing was asked: the address is not allowed, a secret is not set, a value cannot be in the address. */
export class LookupRefused extends Schema.TaggedError<LookupRefused>()("LookupRefused", {
  message: Schema.String
}) {}

/** The other side gave no answer that can be used. The message holds nothing of what it sent. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", {
  message: Schema.String
}) {}
