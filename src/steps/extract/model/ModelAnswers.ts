import { Option, Predicate, Schema } from "effect"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { Claim } from "../../../extraction/grounding/Ground.ts"
import type { RowClaim } from "../../../extraction/grounding/GroundRows.ts"
import type { Reading } from "../../../extraction/layout/Reading.ts"
import type { ChunkAnswer } from "./Ask.ts"
import { typedAnswer } from "./TypedAnswer.ts"
import { defined } from "../../../support/Defined.ts"

const Said = Schema.Struct({
  value: Schema.Unknown,
  quote: Schema.optionalKey(Schema.NullOr(Schema.String)),
  page: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})
const SaidRow = Schema.Struct({
  page: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  cells: Schema.Record(Schema.String, Schema.Unknown)
})

/** What a model said about a field; `unfit` is a value that is not of the field's type. */
export type Answer = { readonly claim: Claim } | "nothing" | "unfit"

/** What models say instead of null. */
const nothing =
  /^(?:[-–—?.\s]*|n\s?\/\s?a|null|none|nil|nan|undefined|unknown|not (?:available|applicable|found|specified|stated|given|present|provided|mentioned))\.?$/iu

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && nothing.test(value.trim()))

const memberOf = (answer: unknown, name: string): unknown =>
  Predicate.hasProperty(answer, name) ? answer[name] : undefined

/** A model's answer, and the pages it is about. */
type About = Pick<ChunkAnswer, "value" | "pageNumbers" | "pictured" | "again">

/**
 * The page that a model names, and the pages on which to look. What it read in the picture of a page without text is
 * looked for nowhere: the same words on another page are not what it read.
 */
const whereOf = ({ pageNumbers, pictured }: About, page: number | null | undefined) => {
  if (page === null || page === undefined) return { seen: new Set(pageNumbers) }
  const picture = pictured.find(({ pageNumber }) => pageNumber === page)
  if (picture === undefined) return { seen: new Set(pageNumbers), page }
  return { seen: new Set(picture.text ? pageNumbers : []), page, pictured: true }
}

/** The claim of an answer about a field that is not a table. */
export const claimOf = (answer: About, field: Field, reading: Reading): Answer => {
  const said = Option.getOrUndefined(Schema.decodeUnknownOption(Said)(memberOf(answer.value, field.name)))
  if (said === undefined || isNothing(said.value)) return "nothing"
  const value = typedAnswer(field, said.value, reading)
  if (value === undefined) return "unfit"
  const { quote, page } = said
  return {
    claim: {
      value,
      ...whereOf(answer, page),
      ...defined({ quote: quote ?? undefined })
    }
  }
}

/** The rows of an answer for a table; a cell that is not of its column's type is null. */
export const rowsOf = (answer: About, field: Field, reading: Reading): ReadonlyArray<RowClaim> => {
  const rows = memberOf(answer.value, field.name)
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row): Array<RowClaim> => {
    const said = Option.getOrUndefined(Schema.decodeUnknownOption(SaidRow)(row))
    const cells = field.columns.map(({ name, type }) => {
      const cell = said?.cells[name]
      const value = isNothing(cell) ? undefined : typedAnswer({ type, finder: "label" }, cell, reading)
      return [name, value === undefined || typeof value === "boolean" ? null : value] as const
    })
    if (said === undefined || cells.every(([, value]) => value === null)) return []
    return [
      {
        row: Object.fromEntries(cells),
        ...whereOf(answer, said.page),
        ...(answer.again ? { again: true } : {})
      }
    ]
  })
}
