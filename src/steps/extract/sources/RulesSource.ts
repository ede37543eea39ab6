import { Effect, Fiber } from "effect"
import type { DocumentIR } from "../../../domain/DocumentIR.ts"
import { type RulesResult, RulesReader } from "../../../extraction/rules/Rules.ts"
import { mayBeMisread } from "./MisreadNames.ts"
import { withoutOldMistakes } from "./CorrectedBefore.ts"
import { hint, reconciled } from "./Reconciled.ts"
import type { Found, SourceRequest, SourceResult } from "../ExtractSource.ts"
import { defined } from "../../../support/Defined.ts"
import { tolerance, type Equation, parseEquation } from "../../../extraction/sums/Equation.ts"
import type { Violation } from "../../../extraction/sums/RelationVerdicts.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"

/** A proposal in a sum that does not add up is not sure, nor does it make rules surer. */
const unbalanced = 0.75
const cent = 0.011

/** Whether the values of a sum add up; undefined if one is missing or is a column of a table. */
const addsUp = ({ terms }: Equation, found: Found): boolean | undefined => {
  const values = terms.map(({ column, field, sign }) => {
    const value = column === undefined ? found[field]?.value : undefined
    return typeof value === "number" ? sign * value : undefined
  })
  if (values.some((value) => value === undefined)) return undefined
  return Math.abs(values.reduce((sum: number, value = 0) => sum + value, 0)) < cent
}

const isProposed = ({ by }: FieldEvidence): boolean => by === "examples"

/** Whether rules are surer of a value because an example proposed it, too. */
const isRaised = ({ confidence, value }: FieldEvidence, ruled: FieldEvidence | undefined): boolean =>
  ruled !== undefined && ruled.value === value && ruled.confidence < confidence

/**
 * Compares the values that an example proposed with the relations of the flow: where they do not add up, those of the rules
 * replace them if they do, and otherwise they are not sure.
 */
export const withBalancedSums = (relations: ReadonlyArray<string>, settled: Found, ruled: Found): Found => {
  const changed: Record<string, FieldEvidence> = {}
  for (const equation of relations.flatMap((text) => parseEquation(text) ?? [])) {
    if (addsUp(equation, settled) !== false) continue
    // A value that is inferred from the others proves nothing, but is better than a hint that contradicts them.
    const isPrinted = equation.terms.every(({ field }) => ruled[field]?.status === "grounded")
    const isInferred = (name: string): boolean =>
      ruled[name]?.status === "inferred" &&
      equation.terms.every(({ field }) => field === name || ruled[field]?.status === "grounded")
    const isBetter = addsUp(equation, ruled) === true
    for (const { field } of equation.terms) {
      const [proposed, other] = [settled[field], ruled[field]]
      if (proposed === undefined || !(isProposed(proposed) || isRaised(proposed, other))) continue
      const own = isProposed(proposed) ? 0 : (other?.confidence ?? 0)
      changed[field] =
        isBetter && other !== undefined && (isPrinted || (proposed.confidence <= hint && isInferred(field)))
          ? other
          : { ...proposed, confidence: Math.max(own, Math.min(proposed.confidence, unbalanced)) }
    }
  }
  return { ...settled, ...changed }
}

/** The warning about a violated relation, with its numbers and with the alternative amounts that would make it hold. */
export const violationWarning = (
  { equation, left, right, values }: Violation,
  alternatives: ReadonlyMap<string, ReadonlyArray<unknown>>
): string => {
  const others = equation.terms.flatMap(({ column, field, sign }) => {
    const value = values.get(field)
    if (column !== undefined || value === undefined) return []
    const other = (alternatives.get(field) ?? [])
      .filter((amount) => typeof amount === "number")
      .find((amount) => Math.abs(left - right + sign * (amount - value)) <= tolerance(equation.terms.length))
    return other === undefined ? [] : [`${field} could also be ${other}`]
  })
  const hint = others.length === 0 ? "" : ` Check the amounts: ${others.join(", ")}.`
  return `${equation.text} does not hold: ${left} is not ${right}.${hint}`
}

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
