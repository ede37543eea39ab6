/**
 * Part of a sum: a field, or the sum of a table's column.
 */
export interface Term {
  readonly field: string
  readonly column?: string
  readonly sign: 1 | -1
}

/** `a + b - c = d`, all on one side: the terms add up to nothing. */
export interface Equation {
  readonly terms: ReadonlyArray<Term>
  /** How many of the terms are on the left. */
  readonly leftTerms: number
  readonly text: string
}

/** `a + b = c`, each a field of its own: net amount, tax and total. */
export const isPlainSum = ({ terms }: Equation): boolean =>
  terms.length === 3 &&
  terms.every(({ column }) => column === undefined) &&
  terms.map(({ sign }) => sign).join() === "1,1,-1"

const term = /([+-]?)\s*(?:sum\(\s*([A-Za-z_]\w*)\.([A-Za-z_]\w*)\s*\)|([A-Za-z_]\w*))\s*/uy

const side = (text: string, sign: 1 | -1): Array<Term> | undefined => {
  const terms: Array<Term> = []
  const source = text.trim()
  term.lastIndex = 0
  while (term.lastIndex < source.length) {
    const match = term.exec(source)
    if (match === null) return undefined
    const [, operator = "", table, column, plainField] = match
    if (terms.length > 0 && operator === "") return undefined
    const own = operator === "-" ? -1 : 1
    const signed = own * sign === 1 ? 1 : -1
    if (table !== undefined && column !== undefined) terms.push({ field: table, column, sign: signed })
    else if (plainField !== undefined) terms.push({ field: plainField, sign: signed })
  }
  return terms.length === 0 ? undefined : terms
}

/** Reads `subtotal + taxAmount = totalAmount` or `sum(lineItems.amount) = subtotal`; undefined where it is neither. */
export const parseEquation = (text: string): Equation | undefined => {
  const [left, right, ...more] = text.split("=")
  if (left === undefined || right === undefined || more.length > 0) return undefined
  const leftTerms = side(left, 1)
  const rightTerms = side(right, -1)
  if (leftTerms === undefined || rightTerms === undefined) return undefined
  return { terms: [...leftTerms, ...rightTerms], leftTerms: leftTerms.length, text }
}

/** Half a cent a term, for rounding. */
export const tolerance = (terms: number): number => 0.006 * terms

/** Whether an equation holds with the values of its terms; undefined where one is missing. */
export const holds = (
  { terms }: Equation,
  valueOf: (term: Term) => number | undefined
): boolean | undefined => {
  let sum = 0
  for (const term of terms) {
    const value = valueOf(term)
    if (value === undefined) return undefined
    sum += term.sign * value
  }
  return Math.abs(sum) <= tolerance(terms.length)
}
