import { Option, Predicate, Schema } from "effect"
import type { Field } from "../Field.ts"
import type { Claim } from "../Grounding/Ground.ts"
import type { RowClaim } from "../Grounding/GroundRows.ts"
import type { Reading } from "../Reading.ts"
import { typedAnswer } from "./TypedAnswer.ts"

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

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "")

const memberOf = (answer: unknown, name: string): unknown =>
  Predicate.hasProperty(answer, name) ? answer[name] : undefined

/** What an answer says about a field that is no table. */
export const claimOf = (
  answer: unknown,
  field: Field,
  reading: Reading,
  seen: ReadonlySet<number>
): Answer => {
  const said = Option.getOrUndefined(Schema.decodeUnknownOption(Said)(memberOf(answer, field.name)))
  if (said === undefined || isNothing(said.value)) return "nothing"
  const value = typedAnswer(field, said.value, reading)
  if (value === undefined) return "unfit"
  const { quote, page } = said
  return {
    claim: {
      value,
      seen,
      ...(quote === null || quote === undefined ? {} : { quote }),
      ...(page === null || page === undefined ? {} : { page })
    }
  }
}

/** The rows that an answer gives for a table; a cell that is not of its column's type is null. */
export const rowsOf = (
  answer: unknown,
  field: Field,
  reading: Reading,
  seen: ReadonlySet<number>
): ReadonlyArray<RowClaim> => {
  const rows = memberOf(answer, field.name)
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row): Array<RowClaim> => {
    const said = Option.getOrUndefined(Schema.decodeUnknownOption(SaidRow)(row))
    const cells = field.columns.map(({ name, type }) => {
      const value = typedAnswer({ type, look: "label" }, said?.cells[name], reading)
      return [name, value === undefined || typeof value === "boolean" ? null : value] as const
    })
    if (said === undefined || cells.every(([, value]) => value === null)) return []
    const { page } = said
    return [
      {
        row: Object.fromEntries(cells),
        seen,
        ...(page === null || page === undefined ? {} : { page })
      }
    ]
  })
}
