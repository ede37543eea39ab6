import { Effect } from "effect"
import { violationWarning } from "../relations/ViolationWarning.ts"
import { readByRules } from "../Rules.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"
import { defined } from "../../../domain/Defined.ts"

/** What rules find; what an earlier source has found stays. */
export const rulesSource = (request: SourceRequest): Effect.Effect<SourceResult> => {
  const { document, fields, relations, dateOrder } = request
  const open = new Set(missingOf(fields, request.found).map(({ name }) => name))
  if (open.size === 0)
    return Effect.succeed({ found: request.found, warnings: [], tokensUsed: 0, model: null })
  const options = { fields, relations, ...defined({ dateOrder }) }
  return Effect.map(readByRules(document, options), ({ alternatives, found, violations }) => ({
    found: {
      ...found,
      ...Object.fromEntries(Object.entries(request.found).filter(([name]) => !open.has(name)))
    },
    warnings: [
      ...Object.entries(found).flatMap(([name, { doubts = [] }]) =>
        open.has(name) ? doubts.map((doubt) => `${name}: ${doubt}`) : []
      ),
      ...violations
        .filter(({ equation }) => equation.terms.every(({ field }) => open.has(field)))
        .map((violation) => violationWarning(violation, alternatives))
    ],
    tokensUsed: 0,
    model: null
  }))
}
