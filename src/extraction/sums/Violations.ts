import { hundredths } from "../../support/Cents.ts"
import type { Equation } from "./Equation.ts"
import { tolerance } from "./Sums.ts"

/** An equation that the chosen amounts do not make true: what its two sides come to. */
export interface Violation {
  readonly equation: Equation
  readonly left: number
  readonly right: number
  /** The amounts of the fields. */
  readonly values: ReadonlyMap<string, number>
}

/** The equations that the values chosen in the end do not make true, with what their sides come to. */
export const violationsOf = (
  equations: ReadonlyArray<Equation>,
  values: ReadonlyMap<string, number>,
  columns: ReadonlyMap<string, number>,
  isExplained: (equation: Equation) => boolean = () => false
): ReadonlyArray<Violation> =>
  equations.flatMap((equation): ReadonlyArray<Violation> => {
    if (isExplained(equation)) return []
    const sides = { left: 0, right: 0 }
    let difference = 0
    for (const [at, { column, field, sign }] of equation.terms.entries()) {
      const value = column === undefined ? values.get(field) : columns.get(`${field}.${column}`)
      if (value === undefined) return []
      difference += sign * value
      if (at < equation.leftTerms) sides.left += sign * value
      else sides.right -= sign * value
    }
    return Math.abs(difference) <= tolerance(equation.terms.length)
      ? []
      : [{ equation, left: hundredths(sides.left), right: hundredths(sides.right), values }]
  })
