import { hundredths } from "../../support/Cents.ts"
import { type Candidate, placeKey } from "../layout/Candidate.ts"
import { isAdjusted, isChargedBelow } from "./Adjustments.ts"
import { type Equation, holds, isPlainSum, type Term } from "./Equation.ts"
import { isInRowOfLabel, isLabelled, type Ranked } from "../candidates/Ranked.ts"

/** The candidates of each field of amounts, and the sums of the columns of tables (`lineItems.amount`). */
export interface SumInput {
  readonly ranked: ReadonlyMap<string, ReadonlyArray<Ranked<number>>>
  readonly columns: ReadonlyMap<string, number>
  /** Every amount of the document: a value that the others imply may be somewhere without a label. */
  readonly money: ReadonlyArray<Candidate<number>>
  /** The same by their rows: what is printed between a sum and its parts may explain their difference. */
  readonly moneyByRow: ReadonlyMap<string, ReadonlyArray<Candidate<number>>>
  /** Fields that come on top of another, as tax does: never more than that other. */
  readonly onTop: ReadonlySet<string>
}

/** What was chosen for a field: a candidate, or a value that follows from the others (`inferred`). */
export interface Chosen extends Ranked<number> {
  readonly inferred: boolean
  /** How many equations hold with it; half a one is another printing of the same amount. */
  readonly agrees: number
  /** How many equations it takes part in that do not hold. */
  readonly violates: number
}

type Choice = ReadonlyMap<string, Ranked<number> | undefined>

const valueOf = (term: Term, choice: Choice, columns: ReadonlyMap<string, number>): number | undefined =>
  term.column === undefined ? choice.get(term.field)?.value : columns.get(`${term.field}.${term.column}`)

const sharedPlace = 0.6

/**
 * How many of the chosen amounts are printed where another field's amount is: one print is seldom two amounts, but for what is
 * labelled as the net amount of a document that prints no tax, and is its total.
 */
const timesShared = (
  equations: ReadonlyArray<Equation>,
  choice: Choice,
  { onTop, ranked }: SumInput
): number => {
  const untaxed = new Set(
    equations.filter(isPlainSum).flatMap(({ terms: [net, tax] }) => {
      if (tax === undefined || !onTop.has(tax.field) || ranked.get(tax.field)?.length !== 0) return []
      const own = choice.get(net?.field ?? "")
      return own !== undefined && isInRowOfLabel(own) ? [net?.field] : []
    })
  )
  const places = [...choice].flatMap(([name, chosen]) =>
    chosen === undefined || chosen.computed === true || untaxed.has(name) ? [] : [placeKey(chosen)]
  )
  return places.length - new Set(places).size
}

/** The best candidate that is printed where no chosen amount is. */
const freeOf = (candidates: ReadonlyArray<Ranked<number>>, choice: Choice): Ranked<number> | undefined => {
  const taken = new Set(
    [...choice.values()].flatMap((chosen) => (chosen === undefined ? [] : [placeKey(chosen)]))
  )
  return candidates.find((candidate) => !taken.has(placeKey(candidate)))
}

/** What an equation is worth that holds but for an amount printed in between. */
const adjusted = 0.45

/** Whether what is printed in between explains that an equation does not hold. */
const isExplained = (
  equation: Equation,
  choice: Choice,
  { columns, moneyByRow, ranked }: Pick<SumInput, "columns" | "moneyByRow" | "ranked">
): boolean =>
  isAdjusted(equation, choice, moneyByRow, ranked) ||
  isChargedBelow(equation, choice, columns, ranked, moneyByRow)

/** No tax on sales is more than this share of what is taxed; the highest usual rates are below the second one. */
const mostTax = 0.5
const mostUsualTax = 0.3

/** Whether nothing calls an amount a tax, or a base: two groups of a bill, or a balance and a bill, add up as well. */
const isNameless = ({ features }: Ranked): boolean => features !== undefined && features.labelled !== 1

/**
 * Tax and what is taxed add up whichever is which: the smaller is the tax, and far smaller. Two equal parts of a sum are
 * two taxes, or two items. One of the amounts may follow from the whole.
 */
const isUpsideDown = ({ terms }: Equation, choice: Choice, onTop: ReadonlySet<string>): boolean => {
  const whole = terms.find(({ sign }) => sign === -1)
  const parts = terms.filter(({ sign }) => sign === 1)
  const top = parts.find(({ field }) => onTop.has(field))
  const base = parts.find((part) => part !== top)
  if (whole === undefined || top === undefined || base === undefined || parts.length !== 2) return false
  const amountOf = ({ field }: Term) => choice.get(field)?.value
  const rest = (part: number | undefined) => (amountOf(whole) ?? Number.NaN) - (part ?? Number.NaN)
  const tax = amountOf(top) ?? rest(amountOf(base))
  const taxed = amountOf(base) ?? rest(amountOf(top))
  const part = choice.get(top.field) ?? choice.get(base.field)
  const most = part !== undefined && isNameless(part) ? mostUsualTax : mostTax
  return Math.abs(tax) > most * Math.abs(taxed)
}

/**
 * An equation that holds is worth more than a better label. The sum of a column says less: discounts and charges may
 * be between the lines and the sums.
 */
const worth = (equations: ReadonlyArray<Equation>, choice: Choice, input: SumInput): number => {
  const { columns, onTop } = input
  let total = -sharedPlace * timesShared(equations, choice, input)
  for (const chosen of choice.values()) total += chosen?.score ?? 0
  for (const equation of equations) {
    const result = holds(equation, (term) => valueOf(term, choice, columns))
    const ofLines = equation.terms.some(({ column }) => column !== undefined)
    if (isUpsideDown(equation, choice, onTop)) total -= 1
    else if (result === true) total += ofLines ? 0.35 : 0.7
    if (result === false)
      total += isExplained(equation, choice, input) ? (ofLines ? 0.35 : adjusted) : ofLines ? -0.1 : -0.25
  }
  return total
}

/** Every way to choose one candidate, or none, for each field. */
function* choices(
  fields: ReadonlyArray<readonly [string, ReadonlyArray<Ranked<number>>]>
): Generator<Choice> {
  const [first, ...rest] = fields
  if (first === undefined) {
    yield new Map()
    return
  }
  const [name, candidates] = first
  for (const tail of choices(rest)) {
    for (const candidate of [...candidates.slice(0, 6), undefined])
      yield new Map([...tail, [name, candidate]])
  }
}

const bestChoice = (equations: ReadonlyArray<Equation>, input: SumInput): Choice => {
  const involved = new Set(equations.flatMap((equation) => equation.terms.map((term) => term.field)))
  const fields = [...input.ranked].filter(([name]) => involved.has(name)).slice(0, 5)
  let most = -Infinity
  let found: Choice = new Map()
  for (const choice of choices(fields)) {
    const value = worth(equations, choice, input)
    if (value > most) {
      most = value
      found = choice
    }
  }
  return found
}

/** How sure what follows from a column of lines is. */
const ofLines = 0.7

/** The value that follows from one of the equations for its only missing field, with the confidence of the others. */
const solve = (equation: Equation, choice: Choice, columns: SumInput["columns"]) => {
  const unknown = equation.terms.filter((term) => valueOf(term, choice, columns) === undefined)
  const [missing] = unknown
  if (missing === undefined || unknown.length > 1 || missing.column !== undefined) return undefined
  let sum = 0
  let sureness = 1
  for (const term of equation.terms) {
    if (term === missing) continue
    sum += term.sign * (valueOf(term, choice, columns) ?? 0)
    // A column of lines says a part of what is printed.
    sureness = Math.min(sureness, choice.get(term.field)?.score ?? ofLines)
  }
  const value = hundredths(-missing.sign * sum)
  return { field: missing.field, value: value === 0 ? 0 : value, sureness }
}

const completed = (solved: { value: number; sureness: number }, input: SumInput): Chosen | undefined => {
  if (solved.sureness < 0.45 || solved.value < 0) return undefined
  const printed = input.money.findLast(
    ({ value, quality }) => Math.abs(value - solved.value) < 0.005 && quality >= 0.7
  )
  if (printed !== undefined && solved.value !== 0) {
    return { ...printed, score: 0.8 * solved.sureness, inferred: false, agrees: 1, violates: 0 }
  }
  const nowhere = { span: { page: 0, row: 0, from: 0, to: 0 }, bbox: { x: 0, y: 0, w: 0, h: 0 }, text: "" }
  return {
    ...nowhere,
    value: solved.value,
    quality: 0.5,
    score: 0.6 * solved.sureness,
    inferred: true,
    agrees: 0,
    violates: 0
  }
}

const likelyAmount = 0.85

/**
 * The only amount that is printed right behind a label of a field, unless it was chosen for another. What follows from other
 * amounts and is printed nowhere does not replace it: then a sum that is wrong on paper would seem to hold.
 */
const onlyLabelled = (
  candidates: ReadonlyArray<Ranked<number>>,
  choice: Choice
): Ranked<number> | undefined => {
  const labelled = candidates.filter(
    (candidate) => candidate.computed !== true && candidate.quality >= likelyAmount && isLabelled(candidate)
  )
  const [first] = labelled
  return labelled.every(({ value }) => Math.abs(value - (first?.value ?? value)) < 0.006)
    ? freeOf(labelled, choice)
    : undefined
}

/** The chosen amounts; what was filled in may break another equation, and puts all who take part in it in doubt. */
const withViolations = (
  equations: ReadonlyArray<Equation>,
  chosen: Map<string, Chosen>,
  input: SumInput
): Map<string, Chosen> => {
  for (const equation of equations) {
    if (
      holds(equation, (term) => valueOf(term, chosen, input.columns)) !== false ||
      isExplained(equation, chosen, input)
    )
      continue
    for (const { field } of equation.terms) {
      const term = chosen.get(field)
      if (term?.violates === 0) chosen.set(field, { ...term, violates: 1 })
    }
  }
  return chosen
}

/**
 * Chooses among the candidates of all fields at once so that as many equations as possible hold, and fills in a value
 * that the others imply. Fields that no equation names keep their best candidate.
 */
export const chooseSums = (equations: ReadonlyArray<Equation>, input: SumInput): Map<string, Chosen> => {
  const choice = new Map(bestChoice(equations, input))
  // If there is no solution, the printed value shows that something is wrong; without it, the sums would seem to hold.
  for (const equation of equations) {
    const solved = solve(equation, choice, input.columns)
    if (solved === undefined) continue
    const candidates = input.ranked.get(solved.field) ?? []
    const value = completed(solved, input)
    const printed =
      value === undefined
        ? freeOf(candidates, choice)
        : value.inferred
          ? onlyLabelled(candidates, choice)
          : undefined
    if (printed !== undefined) choice.set(solved.field, printed)
  }
  const chosen = new Map<string, Chosen>()
  for (const [name, candidates] of input.ranked) {
    const taken = choice.has(name) ? choice.get(name) : candidates[0]
    if (taken === undefined) continue
    const mine = equations.filter(({ terms }) => terms.some(({ field }) => field === name))
    const agrees = mine.filter(
      (equation) => holds(equation, (term) => valueOf(term, choice, input.columns)) === true
    ).length
    const violates = mine.filter(
      (equation) =>
        holds(equation, (term) => valueOf(term, choice, input.columns)) === false &&
        !isExplained(equation, choice, input)
    ).length
    chosen.set(name, { ...taken, inferred: false, agrees, violates })
  }
  for (const equation of [...equations, ...equations]) {
    const solved = solve(equation, choice, input.columns)
    if (solved === undefined || !input.ranked.has(solved.field)) continue
    const value = completed(solved, input)
    if (value === undefined) continue
    choice.set(solved.field, value)
    chosen.set(solved.field, value)
  }
  return withViolations(equations, chosen, input)
}
