import { Schema } from "effect"

const maxOffset = 1_000_000_000

/** `limit` and `offset` of a list: `limit` over 100 is clamped by the handler, everything else out of range refused. */
export const pageParameters = {
  limit: Schema.optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
    description: "How many to return: 50 when absent, at most 100."
  }),
  offset: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxOffset }))).annotate({
    description: "How many to skip."
  })
}

/** The page that is meant: the default 50, never more than 100. */
export const pageOf = (query: {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}): { readonly limit: number; readonly offset: number } => ({
  limit: Math.min(query.limit ?? 50, 100),
  offset: query.offset ?? 0
})
