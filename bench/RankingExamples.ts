import { Effect } from "effect"
import type { Ranked } from "../src/extraction/candidates/Ranked.ts"
import { proposals } from "../src/extraction/candidates/Rank.ts"
import type { Field } from "../src/extraction/lexicon/Field.ts"
import { finders } from "../src/extraction/names/Finders.ts"
import { candidatesOf } from "../src/extraction/names/LabelFinder.ts"
import { type Reading, readDocument } from "../src/extraction/layout/Reading.ts"
import type { Features } from "../src/extraction/Features.ts"
import type { Example } from "./Example.ts"
import { fieldsOf, isRight, withFewerLabels } from "./Judgements.ts"

/** All candidates of one field in one document, each with its features and whether it is right. */
export interface CandidateList {
  readonly kind: string
  readonly family: string
  readonly source: Example["source"]
  /** Whether the field may be empty. */
  readonly mayBeNothing: boolean
  readonly candidates: ReadonlyArray<{ readonly features: Features; readonly right: boolean }>
}

/** What ranking is learned for: fields that labels find, and those with a finder of their own that proposes features. */
const proposed = (reading: Reading, field: Field): ReadonlyArray<Ranked> =>
  field.finder === "label"
    ? proposals(reading, field, candidatesOf(reading, field)).all
    : (finders[field.finder].propose?.(reading, field) ?? [])

/** Amounts of credit notes are returned without a minus. */
const unsigned = (field: Field, value: unknown): unknown =>
  field.unsigned && typeof value === "number" ? Math.abs(value) : value

const isForm = ({ truth }: Example): boolean => Object.values(truth).every((answers) => answers.length === 0)

/** The candidates of the fields of an example, with some labels taken away in every variant but 0. */
export const candidateLists = Effect.fnUntraced(function* (example: Example, variant: number) {
  if (isForm(example)) return []
  const fields = fieldsOf(example.flow).map((field) => withFewerLabels(field, variant))
  const reading = yield* readDocument(example.document, fields, undefined)
  return fields.flatMap((field): ReadonlyArray<CandidateList> => {
    const truths = example.truth[field.name]
    if (truths === undefined || field.preset === undefined || field.finder === "kind") return []
    const all = proposed(reading, field)
    if (all.length === 0) return []
    const mayBeNothing = truths.length === 0 || truths.includes(null)
    return [
      {
        kind: field.finder === "label" ? field.preset : field.finder,
        family: example.family,
        source: example.source,
        mayBeNothing,
        candidates: all.map(({ features = {}, value }) => ({
          features,
          right: truths.length > 0 && isRight(field.name, unsigned(field, value), truths)
        }))
      }
    ]
  })
})
