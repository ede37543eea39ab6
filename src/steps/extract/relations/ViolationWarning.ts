import type { Violation } from "./Sums.ts"

const shown = (value: unknown): string => (typeof value === "number" ? String(value) : JSON.stringify(value))

/** The warning about a violated relation, with its numbers and alternative amounts. */
export const violationWarning = (
  { equation, left, right }: Violation,
  alternatives: ReadonlyMap<string, ReadonlyArray<unknown>>
): string => {
  const others = equation.terms.flatMap(({ column, field }) => {
    const [other] = column === undefined ? (alternatives.get(field) ?? []) : []
    return other === undefined ? [] : [`${field} could also be ${shown(other)}`]
  })
  const hint = others.length === 0 ? "" : ` Check the amounts: ${others.join(", ")}.`
  return `${equation.text} does not hold: ${left} is not ${right}.${hint}`
}
