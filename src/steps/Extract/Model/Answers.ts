import { Option, Predicate, Schema } from "effect"
import { currencyOf } from "../CurrencyMarks.ts"
import { type DateOrder, parseDate } from "../Dates.ts"
import type { Field } from "../Field.ts"
import type { Claim } from "../Grounding/Ground.ts"
import type { RowClaim } from "../Grounding/GroundRows.ts"
import type { Scalar } from "../Grounding/Places.ts"
import { parseMoney } from "../Money.ts"
import { scalar } from "../OutputType.ts"

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

const kinds: ReadonlySet<unknown> = new Set(["invoice", "credit-note"])

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" ? parseMoney(value.trim())?.value : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

/** A value of the type that a field has; undefined where it is none. */
const typed = (field: Pick<Field, "type" | "look">, value: unknown, order: DateOrder): Scalar | undefined => {
  switch (scalar(field.type)["type"]) {
    case "number":
      return numberOf(value)
    case "integer": {
      const number = numberOf(value)
      return Number.isInteger(number) ? number : undefined
    }
    case "boolean":
      return typeof value === "boolean" ? value : undefined
  }
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : ""
  if (text === "") return undefined
  if (field.type === "date") return parseDate(text, order)?.iso
  if (field.type === "currency") return currencyOf(text)
  return field.look === "kind" && !kinds.has(text) ? undefined : text
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "")

const memberOf = (answer: unknown, name: string): unknown =>
  Predicate.hasProperty(answer, name) ? answer[name] : undefined

/** What an answer says about a field that is no table. */
export const claimOf = (
  answer: unknown,
  field: Field,
  order: DateOrder,
  seen: ReadonlySet<number>
): Answer => {
  const said = Option.getOrUndefined(Schema.decodeUnknownOption(Said)(memberOf(answer, field.name)))
  if (said === undefined || isNothing(said.value)) return "nothing"
  const value = typed(field, said.value, order)
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
  order: DateOrder,
  seen: ReadonlySet<number>
): ReadonlyArray<RowClaim> => {
  const rows = memberOf(answer, field.name)
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row): Array<RowClaim> => {
    const said = Option.getOrUndefined(Schema.decodeUnknownOption(SaidRow)(row))
    const cells = field.columns.map(({ name, type }) => {
      const value = typed({ type, look: "label" }, said?.cells[name], order)
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
