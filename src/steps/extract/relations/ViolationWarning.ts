import { tolerance } from "./Sums.ts"
import type { Violation } from "./Violations.ts"

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
