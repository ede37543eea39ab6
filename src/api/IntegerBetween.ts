import { Schema } from "effect"

/** An integer in a range. The reason for a fraction, or for an integer that JavaScript cannot represent, names the range as well. */
export const integerBetween = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) => {
  const message = `must be an integer between ${minimum} and ${maximum}`
  const range =
    maximum === Number.MAX_SAFE_INTEGER
      ? Schema.isGreaterThanOrEqualTo(minimum)
      : Schema.isBetween({ minimum, maximum })
  return Schema.Number.check(Schema.isInt({ message }), range)
}
