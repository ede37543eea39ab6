import { Schema } from "effect"

/** The service refused a request; `code` and `status` are those of the API's error table. */
export class ApiFailure extends Schema.TaggedError<ApiFailure>()("ApiFailure", {
  status: Schema.Int,
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  /** Milliseconds after which it is worth trying again, if the service said so. */
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}) {}

/** The service was not reached, or something else answered in its place. */
export class ConnectionFailure extends Schema.TaggedError<ConnectionFailure>()("ConnectionFailure", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The execution has not ended in the time that was waited for it; it goes on. */
export class WaitTimeout extends Schema.TaggedError<WaitTimeout>()("WaitTimeout", {
  executionId: Schema.String,
  message: Schema.String
}) {}
