import { Effect, Fiber } from "effect"
import type { DocumentIR } from "../../../domain/DocumentIR.ts"
import { violationWarning } from "../relations/ViolationWarning.ts"
import type { RulesResult } from "../Rules.ts"
import { RulesReader } from "../RulesReader.ts"
import { withBalancedSums } from "./BalancedSums.ts"
import { mayBeMisread } from "./MisreadNames.ts"
import { withoutOldMistakes } from "./CorrectedNames.ts"
import { reconciled } from "./Reconciled.ts"
import type { Found, SourceRequest, SourceResult } from "../ExtractSource.ts"
import { defined } from "../../../support/Defined.ts"

/** The evidence for each field: that of an earlier source, unless it is missing or proposed by an example. */
const settled = (before: Found, ruled: Found, document: DocumentIR): Found => ({
  ...ruled,
  ...Object.fromEntries(
    Object.entries(before).flatMap(([name, evidence]) => {
      if (evidence.status === "missing") return []
      if (evidence.by !== "examples") return [[name, evidence] as const]
      const own = ruled[name]
      return [[name, reconciled(evidence, own, mayBeMisread(document, own?.page))] as const]
    })
  )
})

/** Whether rules look for a field: no source has found it, or an example proposed it. */
const isOpenIn = (found: Found, name: string): boolean => {
  const { by, status = "missing" } = found[name] ?? {}
  return status === "missing" || by === "examples"
}

const readingOf = ({ dateOrder, document, fields, relations }: SourceRequest): Effect.Effect<RulesResult> => {
  const options = { fields, relations, ...defined({ dateOrder }) }
  return Effect.flatMap(RulesReader, (readByRules) => readByRules(document, options))
}

/**
 * Begins to read by rules while another source, which leaves every field open that is open now, waits for something else.
 * Undefined if no field is open.
 */
export const readAhead = (request: SourceRequest): Effect.Effect<Effect.Effect<RulesResult> | undefined> =>
  request.fields.some(({ name }) => isOpenIn(request.found, name))
    ? Effect.map(Effect.forkChild(readingOf(request), { startImmediately: true }), Fiber.join)
    : Effect.succeed(undefined)

/**
 * Takes values found by rules; values of earlier sources are kept, unless an example proposed them. `ahead` is the reading, if it was
 * begun before.
 */
export const rulesSource = (
  request: SourceRequest,
  ahead?: Effect.Effect<RulesResult>
): Effect.Effect<SourceResult> => {
  const { document, fields, relations } = request
  const isOpen = (name: string): boolean => isOpenIn(request.found, name)
  if (!fields.some(({ name }) => isOpen(name)))
    return Effect.succeed({ found: request.found, warnings: [], tokensUsed: 0, model: null })
  return Effect.map(ahead ?? readingOf(request), (read) => {
    const { alternatives, found: ruled, reasons, violations } = read
    const known = withoutOldMistakes(settled(request.found, ruled, document), request.correctedNames ?? {})
    const found = withBalancedSums(relations, known, ruled)
    const isRuled = (name: string): boolean => isOpen(name) && found[name]?.by !== "examples"
    return {
      found,
      warnings: [
        ...Object.entries(found).flatMap(([name, { doubts = [] }]) =>
          isRuled(name) ? doubts.map((doubt) => `${name}: ${doubt}`) : []
        ),
        ...violations
          .filter(({ equation }) => equation.terms.every(({ field }) => isRuled(field)))
          .map((violation) => violationWarning(violation, alternatives)),
        ...read.warnings
      ],
      tokensUsed: 0,
      model: null,
      reasons
    }
  })
}
