import { hundredths } from "../../support/Cents.ts"
import type { Candidate } from "../layout/Candidate.ts"
import type { Features } from "../Features.ts"
import type { Field } from "../lexicon/Field.ts"

/** A candidate for one field, with how well it fits. */
export interface Ranked<A = unknown> extends Candidate<A> {
  /** How well label, place and value fit together, 0–1. */
  readonly score: number
  /** The value was computed from several that are there, and appears nowhere itself. */
  readonly computed?: boolean
  /** The same value elsewhere, where it fits nearly as well: equal parts of one sum. */
  readonly twins?: ReadonlyArray<Candidate<A>>
  /** What the score was made of, where it was learned. */
  readonly features?: Features
}

/** A candidate with another score. */
export const scored = <A>(found: Candidate<A>, score: number): Ranked<A> => ({ ...found, score })

/** From which share of the best score on the same value in another row is its equal. */
const nearlyAsGood = 0.75

/** The best of each value, the best first, each with its twins in other rows. */
export const best = <A>(ranked: ReadonlyArray<Ranked<A>>, most = 8): Array<Ranked<A>> => {
  const byValue = new Map<unknown, Ranked<A>>()
  for (const candidate of ranked) {
    const known = byValue.get(candidate.value)
    if (known === undefined) byValue.set(candidate.value, candidate)
    else {
      const [better, worse] = candidate.score > known.score ? [candidate, known] : [known, candidate]
      const elsewhere = worse.span.row !== better.span.row || worse.span.page !== better.span.page
      const twins =
        elsewhere && (worse.score >= nearlyAsGood * better.score || (isLabelled(worse) && isLabelled(better)))
          ? [...(known.twins ?? []), worse]
          : known.twins
      byValue.set(candidate.value, twins === undefined ? better : { ...better, twins })
    }
  }
  return [...byValue.values()].toSorted((a, b) => b.score - a.score).slice(0, most)
}

const place = ({ span }: Ranked): string => `${span.page}:${span.row}:${span.from}`

/**
 * A date on the page is the invoice's or the due one, not both: each goes to the field that it fits best, and the
 * others take their next. Only values of one type are rivals.
 */
export const withoutRivals = (
  fields: ReadonlyArray<Field>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
): Map<string, ReadonlyArray<Ranked>> => {
  const settled = new Map<string, ReadonlyArray<Ranked>>()
  const byScore = fields
    .filter(({ type }) => type !== "money" && type !== "table")
    .map((field) => ({ field, candidates: ranked.get(field.name) ?? [] }))
    .toSorted((a, b) => (b.candidates[0]?.score ?? 0) - (a.candidates[0]?.score ?? 0))
  const taken = new Set<string>()
  for (const { field, candidates } of byScore) {
    // A field that says itself where to look gives way to none.
    const placed = field.region !== undefined || field.occurrence !== undefined
    const free = placed
      ? candidates
      : candidates.filter((candidate) => !taken.has(`${field.type} ${place(candidate)}`))
    const [first] = free
    // What follows from the whole document takes no place on it.
    if (first !== undefined && !placed && first.computed !== true) taken.add(`${field.type} ${place(first)}`)
    settled.set(field.name, free)
  }
  return settled
}

/** How sure the first of several is: less where another value fits nearly as well. */
export const confidenceOf = (ranked: ReadonlyArray<Ranked>): number => {
  const [first, second] = ranked
  if (first === undefined) return 0
  const rivalry = second === undefined ? 0 : Math.max(0, 1 - (first.score - second.score) / 0.15)
  return hundredths(Math.min(0.99, first.score) * (1 - 0.35 * rivalry))
}

/** An amount in the row of a label of its field, although other words may be between the two: `Total 7 items 45.90`. */
export const isInRowOfLabel = ({ features = {} }: Ranked): boolean =>
  features.labelInRow === 1 && (features.labelQuality ?? 0) >= 0.95

/** An amount right behind a label of its field, whatever else speaks against it. */
export const isLabelled = (ranked: Ranked): boolean =>
  isInRowOfLabel(ranked) && (ranked.features?.labelFit ?? 0) >= 0.85
