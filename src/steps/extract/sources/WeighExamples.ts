import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { LearnedExample, LearnedField } from "../../../domain/LearnedExample.ts"

/** A checked document that is alike: how much it counts, and whether it is of the same sender. */
export interface AlikeExample {
  readonly example: LearnedExample
  readonly score: number
  readonly hasMark: boolean
  readonly weight: number
}

/** What one checked document says of a field of this document; without a value if it has none. */
export interface Vote {
  readonly alike: AlikeExample
  readonly learned: LearnedField
  readonly value: unknown
}

/** The votes for one value, and how much those against it count. */
export interface Weighed<A extends Vote> {
  readonly votes: ReadonlyArray<A>
  /** The share of the winning value among the verdicts of people, 0–1. */
  readonly share: number
  /** Why the documents disagree, in a sentence. */
  readonly doubt?: string
}

/** An example counts this much of the next newer one: people correct their own slips. */
const ofNewer = 0.8
/** A value at which nobody looked counts this much of one that a person corrected or accepted. */
const unchecked = 0.3
/** The share from which a value is not in doubt although a document says otherwise. */
const clearShare = 0.9
/** The confidence in a value about which checked documents disagree. */
export const disputed = 0.75
/** The highest confidence that agreeing documents give. */
const mostAgreed = 0.97

/** Examples by how much they count: the newest and the most alike count most. */
export const weighted = (
  examples: ReadonlyArray<Omit<AlikeExample, "weight">>
): ReadonlyArray<AlikeExample> =>
  examples
    .toSorted((one, other) => other.example.learnedAt - one.example.learnedAt)
    .map(({ example, hasMark, score }, older) => ({
      example,
      hasMark,
      score,
      weight: score ** 2 * ofNewer ** older
    }))
    .toSorted((one, other) => other.weight - one.weight)

const weightOf = ({ alike, learned }: Vote): number =>
  alike.weight * (learned.by === undefined && learned.corrected !== true ? unchecked : 1)

const sumOf = (votes: ReadonlyArray<Vote>): number => votes.reduce((sum, vote) => sum + weightOf(vote), 0)

const shown = (value: unknown): string => (value === null ? "no value" : String(value).slice(0, 80))

/** Names a document for a person. */
const nameOf = ({ alike }: Vote): string => alike.example.executionId ?? "an imported example"

/** Chooses the value for which most speaks; undefined without votes. */
export const weigh = <A extends Vote>(votes: ReadonlyArray<A>): Weighed<A> | undefined => {
  const groups = [...Map.groupBy(votes, ({ value }) => JSON.stringify(value)).values()].toSorted(
    (one, other) => sumOf(other) - sumOf(one)
  )
  const [best, ...others] = groups
  if (best === undefined) return undefined
  const against = others.flat().toSorted((one, other) => weightOf(other) - weightOf(one))
  const share = sumOf(best) / (sumOf(best) + sumOf(against))
  const [mine] = best
  const [theirs] = against
  return share >= clearShare || mine === undefined || theirs === undefined
    ? { votes: best, share }
    : {
        votes: best,
        share,
        doubt: `Checked documents disagree: ${nameOf(mine)} says ${shown(mine.value)}, ${nameOf(theirs)} says ${shown(theirs.value)}.`
      }
}

/** The confidence in a value that several documents gave: each one that agrees halves the doubt that one leaves. */
export const agreed = (one: number, { doubt, share, votes }: Weighed<Vote>): number => {
  const all = 1 - (1 - one) * 0.5 ** (votes.length - 1)
  const sure = Math.max(one, Math.min(mostAgreed, all)) * share
  return doubt === undefined ? sure : Math.min(disputed, sure)
}

/** Where a value was learned, for its evidence. */
export const originsOf = (votes: ReadonlyArray<Vote>): NonNullable<FieldEvidence["learnedFrom"]> =>
  votes.map(({ alike: { example }, learned: { by } }) => ({
    example: example.id,
    executionId: example.executionId,
    ...(by === undefined ? {} : { by })
  }))
