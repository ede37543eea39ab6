import { Schema } from "effect"

/** A body that cannot be taken: what the answer says. */
export class BodyRefused extends Schema.TaggedError<BodyRefused>()("BodyRefused", {
  status: Schema.Int,
  code: Schema.Literals(["INVALID_INPUT", "SERVICE_UNAVAILABLE", "VALIDATION_ERROR"]),
  message: Schema.String,
  details: Schema.optionalKey(Schema.Struct({ field: Schema.String, reason: Schema.String }))
}) {}

/** A body that is not what its headers or its format promise. */
export const refuseBody = (status: number, message: string): BodyRefused =>
  new BodyRefused({ status, code: "INVALID_INPUT", message })

/** A body in which one field is wrong. */
export const refuseField = (field: string, reason: string): BodyRefused =>
  new BodyRefused({
    status: 422,
    code: "VALIDATION_ERROR",
    message: `Invalid ${field}: ${reason}`,
    details: { field, reason }
  })
