import type { FieldEvidence } from "../../domain/Evidence.ts"
import { Predicate } from "effect"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import { isList } from "../../../dsl/types/Values.ts"

/** Amounts are compared in hundredths; -0 is 0. */
const hundredths = (value: number): string => {
  const text = value.toFixed(2)
  return text === "-0.00" ? "0.00" : text
}

/** Removes null fields, which mean the same as absent ones. */
const plain = (value: unknown): unknown => {
  if (typeof value === "number") return Number.isFinite(value) ? hundredths(value) : String(value)
  if (typeof value === "string") return value.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase()
  if (isList(value)) return value.map(plain)
  if (!Predicate.isObject(value)) return value
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]))
}

/**
 * A string that two values share exactly if they mean the same: letters in either case, any white space, numbers to two
 * decimals, and so on inside lists and objects. Values of different types never mean the same.
 */
export const meaningOf = (value: unknown): string => `${typeof value} ${canonicalJson(plain(value))}`

/** Whether a value says that nothing was found: null, or a table without rows. */
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (isList(value) && value.length === 0)

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
