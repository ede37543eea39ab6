import { Effect } from "effect"
import { extractByRules } from "../Rules.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"

/** What rules find; what an earlier source has found stays. */
export const rulesSource = (request: SourceRequest): Effect.Effect<SourceResult> => {
  const { document, fields, relations, dateOrder } = request
  const open = new Set(missingOf(fields, request.found).map(({ name }) => name))
  if (open.size === 0)
    return Effect.succeed({ found: request.found, warnings: [], tokensUsed: 0, model: null })
  const options = { fields, relations, ...(dateOrder === undefined ? {} : { dateOrder }) }
  return Effect.map(extractByRules(document, options), (byRules) => ({
    found: {
      ...byRules,
      ...Object.fromEntries(Object.entries(request.found).filter(([name]) => !open.has(name)))
    },
    warnings: Object.entries(byRules).flatMap(([name, { doubts = [] }]) =>
      open.has(name) ? doubts.map((doubt) => `${name}: ${doubt}`) : []
    ),
    tokensUsed: 0,
    model: null
  }))
}
