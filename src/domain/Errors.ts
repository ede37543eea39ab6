import { Schema } from "effect"

/** Details of an error: `field`, `reason`, `supported`, `executionId` … */
export const ErrorDetails = Schema.Record(Schema.String, Schema.Unknown)
export type ErrorDetails = typeof ErrorDetails.Type

const fields = { message: Schema.String, details: Schema.optionalKey(ErrorDetails) }

/** Of errors that executions end with too: the step that failed, and what it had found before, for its artifacts. */
const failureFields = {
  ...fields,
  step: Schema.optionalKey(Schema.String),
  findings: Schema.optionalKey(Schema.Unknown)
}

/** Missing or invalid authorization. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("UNAUTHORIZED", fields, {
  httpApiStatus: 401
}) {}

/** The key is malformed, revoked or expired. */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("INVALID_API_KEY", fields, {
  httpApiStatus: 401
}) {}

/** The key lacks the scope that the operation needs. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("FORBIDDEN", fields, { httpApiStatus: 403 }) {}

/** The body is not JSON, or a field of the API's own contract is missing or wrong. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("INVALID_INPUT", fields, {
  httpApiStatus: 400
}) {}

/** A declared value fails validation: MIME type, base64, size, a variable. */
export class ValidationFailed extends Schema.TaggedError<ValidationFailed>()(
  "VALIDATION_ERROR",
  failureFields,
  {
    httpApiStatus: 422
  }
) {}

/** A variable that the flow's input schema requires is missing. */
export class MissingRequiredField extends Schema.TaggedError<MissingRequiredField>()(
  "MISSING_REQUIRED_FIELD",
  fields,
  { httpApiStatus: 422 }
) {}

/** The bytes are not a document that the flow can read. */
export class InvalidDocument extends Schema.TaggedError<InvalidDocument>()(
  "INVALID_DOCUMENT",
  failureFields,
  {
    httpApiStatus: 422
  }
) {}

/** The flow does not exist or is not accessible. */
export class FlowNotFound extends Schema.TaggedError<FlowNotFound>()("FLOW_NOT_FOUND", fields, {
  httpApiStatus: 404
}) {}

/** The execution does not exist, or belongs to another organization. */
export class ExecutionNotFound extends Schema.TaggedError<ExecutionNotFound>()(
  "EXECUTION_NOT_FOUND",
  fields,
  { httpApiStatus: 404 }
) {}

/** The flow has no such version. */
export class VersionNotFound extends Schema.TaggedError<VersionNotFound>()("VERSION_NOT_FOUND", fields, {
  httpApiStatus: 404
}) {}

/** Not enough credits; the message names the required and the available amount. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()(
  "INSUFFICIENT_CREDITS",
  fields,
  { httpApiStatus: 402 }
) {}

/** The flow needs a plan that the organization does not have. */
export class SubscriptionRequired extends Schema.TaggedError<SubscriptionRequired>()(
  "SUBSCRIPTION_REQUIRED",
  fields,
  { httpApiStatus: 402 }
) {}

/** The execution of the flow failed. */
export class ExecutionFailed extends Schema.TaggedError<ExecutionFailed>()(
  "EXECUTION_FAILED",
  failureFields,
  {
    httpApiStatus: 500
  }
) {}

/** The wait ended before the execution, which continues. */
export class ExecutionTimeout extends Schema.TaggedError<ExecutionTimeout>()(
  "EXECUTION_TIMEOUT",
  failureFields,
  {
    httpApiStatus: 504
  }
) {}

/** The execution was cancelled before. */
export class AlreadyCancelled extends Schema.TaggedError<AlreadyCancelled>()("ALREADY_CANCELLED", fields, {
  httpApiStatus: 409
}) {}

/** The execution has completed or failed. */
export class NotCancellable extends Schema.TaggedError<NotCancellable>()("NOT_CANCELLABLE", fields, {
  httpApiStatus: 409
}) {}

/** More requests than the organization may make in a minute. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RATE_LIMITED", fields, {
  httpApiStatus: 429
}) {}

/** More concurrent executions than the organization may have. */
export class ConcurrentLimit extends Schema.TaggedError<ConcurrentLimit>()("CONCURRENT_LIMIT", fields, {
  httpApiStatus: 429
}) {}

/** A defect of the service; the request id helps to find it. */
export class InternalError extends Schema.TaggedError<InternalError>()("INTERNAL_ERROR", fields, {
  httpApiStatus: 500
}) {}

/** Overloaded, draining, or without its database; try again later. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()(
  "SERVICE_UNAVAILABLE",
  fields,
  { httpApiStatus: 503 }
) {}

/** The OCR or model provider failed. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("PROVIDER_ERROR", failureFields, {
  httpApiStatus: 502
}) {}

/** Every error of the API: one class per code; the tag is the code. */
export const apiErrors = [
  Unauthorized,
  InvalidApiKey,
  Forbidden,
  InvalidInput,
  ValidationFailed,
  MissingRequiredField,
  InvalidDocument,
  FlowNotFound,
  ExecutionNotFound,
  VersionNotFound,
  InsufficientCredits,
  SubscriptionRequired,
  ExecutionFailed,
  ExecutionTimeout,
  AlreadyCancelled,
  NotCancellable,
  RateLimited,
  ConcurrentLimit,
  InternalError,
  ServiceUnavailable,
  ProviderError
] as const
