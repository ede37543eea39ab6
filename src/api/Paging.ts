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

const maxOffset = 1_000_000_000

/** `limit` and `offset` of a list: the handler clamps a `limit` over 100; any other value out of range is refused. */
export const pageParameters = {
  limit: Schema.optional(integerBetween(1)).annotate({
    description: "How many to return: 50 when absent, at most 100."
  }),
  offset: Schema.optional(integerBetween(0, maxOffset)).annotate({
    description: "How many to skip."
  })
}

/** The requested page: 50 items by default, never more than 100. */
export const pageOf = (query: {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}): { readonly limit: number; readonly offset: number } => ({
  limit: Math.min(query.limit ?? 50, 100),
  offset: query.offset ?? 0
})
