import { hundredths } from "../../../support/Cents.ts"
import type { Equation, Term } from "../../../extraction/sums/Equation.ts"
import type { Found } from "../ExtractSource.ts"

/** Half a cent a term, for rounding. */
const tolerance = 0.006

const columnSum = (rows: unknown, column: string): number | undefined => {
  if (!Array.isArray(rows) || rows.length === 0) return undefined
  const cells = rows.map((row: Readonly<Record<string, unknown>>) => row[column])
  return cells.every((cell) => typeof cell === "number")
    ? cells.reduce((sum, cell) => sum + cell, 0)
    : undefined
}

const termValue = ({ field, column }: Term, found: Found): number | undefined => {
  const value = found[field]?.value
  if (column !== undefined) return columnSum(value, column)
  return typeof value === "number" ? value : undefined
}

/** What the two sides of a sum come to with the values found; undefined where one is missing. */
const sidesOf = (equation: Equation, found: Found): readonly [left: number, right: number] | undefined => {
  const sides: [number, number] = [0, 0]
  for (const [at, term] of equation.terms.entries()) {
    const value = termValue(term, found)
    if (value === undefined) return undefined
    if (at < equation.leftTerms) sides[0] += term.sign * value
    else sides[1] -= term.sign * value
  }
  return sides
}

/** Whether a sum comes out with the values found; undefined where one is missing. */
export const balances = (equation: Equation, found: Found): boolean | undefined => {
  const sides = sidesOf(equation, found)
  return sides && Math.abs(sides[0] - sides[1]) <= tolerance * equation.terms.length
}

/** The warning about a sum that does not come out. */
export const brokenSum = (equation: Equation, found: Found): string => {
  const [left, right] = sidesOf(equation, found) ?? [0, 0]
  return `${equation.text} does not hold: ${hundredths(left)} is not ${hundredths(right)}.`
}
