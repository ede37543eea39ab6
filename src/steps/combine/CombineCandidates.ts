import type { FieldEvidence } from "../../domain/Evidence.ts"
import { isNothing, meaningOf } from "./SameValue.ts"

/** One source: its values, and their evidence if known. */
export interface CombineSource {
  readonly values: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, FieldEvidence>>
}

/** A value that some source has for a field. */
export interface Vote {
  readonly value: unknown
  readonly evidence: FieldEvidence | undefined
}

/** A value of a field, with the votes of all sources with the same meaning; at least one, in the order of the sources. */
export interface Candidate {
  readonly value: unknown
  readonly votes: ReadonlyArray<Vote>
}

const own = <A>(record: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The strength of a vote: values on a page first, then by confidence. */
const strength = ({ evidence }: Vote): number =>
  evidence === undefined ? -1 : (evidence.status === "grounded" ? 1 : 0) + evidence.confidence

/** The best founded of some votes; of equals the first. */
export const strongest = (votes: ReadonlyArray<Vote>): Vote | undefined =>
  votes.reduce<Vote | undefined>(
    (best, next) => (best === undefined || strength(next) > strength(best) ? next : best),
    undefined
  )

/**
 * The values of a field, each once, in the order of the sources. A source that found nothing has no vote. Of several ways
 * to write a value, the best founded is kept.
 */
export const candidatesOf = (
  name: string,
  sources: ReadonlyArray<CombineSource>
): ReadonlyArray<Candidate> => {
  const groups = new Map<string, Array<Vote>>()
  for (const source of sources) {
    const value = own(source.values, name)
    const evidence = own(source.fields, name)
    if (isNothing(value) || evidence?.status === "missing") continue
    const key = meaningOf(value)
    const group = groups.get(key) ?? []
    group.push({ value, evidence })
    groups.set(key, group)
  }
  return [...groups.values()].map((votes) => ({ value: strongest(votes)?.value ?? null, votes }))
}

/** The value for "nothing was found": an empty table if a source has one, otherwise null. */
export const nothingOf = (name: string, sources: ReadonlyArray<CombineSource>): unknown =>
  sources
    .map(({ values }) => own(values, name))
    .find((value) => Array.isArray(value) && value.length === 0) ?? null
