import {
  ConcurrentLimit,
  ExecutionNotFound,
  FlowNotFound,
  InsufficientCredits,
  InvalidDocument,
  InvalidInput,
  MissingRequiredField,
  SubscriptionRequired,
  ValidationFailed,
  VersionNotFound
} from "../domain/Errors.ts"
import { envelope } from "./ErrorEnvelope.ts"

/** The errors of a replay, in the API and in the dashboard. */
export const replayErrors = [
  envelope(InvalidInput),
  envelope(InsufficientCredits),
  envelope(SubscriptionRequired),
  envelope(ExecutionNotFound),
  envelope(FlowNotFound),
  envelope(VersionNotFound),
  envelope(ValidationFailed),
  envelope(MissingRequiredField),
  envelope(InvalidDocument),
  envelope(ConcurrentLimit)
] as const
