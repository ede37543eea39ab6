import type { Field } from "../lexicon/Field.ts"
import type { Ranked } from "./Ranked.ts"

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
