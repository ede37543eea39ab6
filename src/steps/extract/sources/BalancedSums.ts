import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { Found } from "../ExtractSource.ts"
import { type Equation, parseEquation } from "../relations/Equation.ts"

/** A proposal in a sum that does not add up is not sure. */
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

const isProposed = (evidence: FieldEvidence | undefined): evidence is FieldEvidence =>
  evidence?.by === "examples"

/**
 * Compares the values that an example proposed with the relations of the flow: where they do not add up, those of the rules
 * replace them if they do, and otherwise they are not sure.
 */
export const withBalancedSums = (relations: ReadonlyArray<string>, settled: Found, ruled: Found): Found => {
  const changed: Record<string, FieldEvidence> = {}
  for (const equation of relations.flatMap((text) => parseEquation(text) ?? [])) {
    if (addsUp(equation, settled) !== false) continue
    // A value that is inferred from the others proves nothing.
    const isPrinted = equation.terms.every(({ field }) => ruled[field]?.status === "grounded")
    const replaces = isPrinted && addsUp(equation, ruled) === true
    for (const { field } of equation.terms) {
      const [proposed, other] = [settled[field], ruled[field]]
      if (!isProposed(proposed)) continue
      changed[field] =
        replaces && other !== undefined
          ? other
          : { ...proposed, confidence: Math.min(proposed.confidence, unbalanced) }
    }
  }
  return { ...settled, ...changed }
}
