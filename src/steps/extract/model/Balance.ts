import type { Equation, Term } from "../relations/Equation.ts"
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

/** Whether a sum comes out with the values found; undefined where one is missing. */
export const balances = (equation: Equation, found: Found): boolean | undefined => {
  let sum = 0
  for (const term of equation.terms) {
    const value = termValue(term, found)
    if (value === undefined) return undefined
    sum += term.sign * value
  }
  return Math.abs(sum) <= tolerance * equation.terms.length
}
