import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { Found } from "../ExtractSource.ts"
import { type Equation, parseEquation } from "../relations/Equation.ts"
import { hint } from "./Reconciled.ts"

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
