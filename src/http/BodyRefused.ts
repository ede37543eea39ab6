import { Schema } from "effect"

/** A refused body, with the content of the response. */
export class BodyRefused extends Schema.TaggedError<BodyRefused>()("BodyRefused", {
  status: Schema.Int,
  code: Schema.Literals(["INVALID_INPUT", "SERVICE_UNAVAILABLE", "VALIDATION_ERROR"]),
  message: Schema.String,
  details: Schema.optionalKey(Schema.Struct({ field: Schema.String, reason: Schema.String }))
}) {}

/** Refuses a body that does not match its headers or its format. */
export const refuseBody = (status: number, message: string): BodyRefused =>
  new BodyRefused({ status, code: "INVALID_INPUT", message })

/** Refuses a body with an invalid field. */
export const refuseField = (field: string, reason: string): BodyRefused =>
  new BodyRefused({
    status: 422,
    code: "VALIDATION_ERROR",
    message: `Invalid ${field}: ${reason}`,
    details: { field, reason }
  })
