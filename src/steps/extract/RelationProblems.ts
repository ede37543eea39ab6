import { Option, Schema } from "effect"
import { didYouMean } from "../../../dsl/source/Nearest.ts"
import type { ConfigProblem } from "../../../dsl/model/StepKind.ts"
import { type Field, checkedField } from "../../extraction/lexicon/Field.ts"
import { FieldDefinition, type FieldType } from "../../extraction/fields/FieldDefinition.ts"
import { parseEquation, type Term } from "../../extraction/sums/Equation.ts"

const Written = Schema.Struct({
  fields: Schema.Record(Schema.String, FieldDefinition),
  relations: Schema.Array(Schema.String)
})

/** The types that can be added up. */
const numeric: ReadonlySet<FieldType> = new Set(["money", "number", "integer", "percent"])

const article = (type: FieldType): string =>
  type === "money" ? "an amount" : /^[aeiou]/u.test(type) ? `an ${type}` : `a ${type}`

type Complaint = Omit<ConfigProblem, "path">

const unknown = (what: string, name: string, known: ReadonlyArray<string>): Complaint => {
  const suggestion = didYouMean(name, known)
  const message = `Unknown ${what} "${name}" in the relation.`
  return suggestion === undefined ? { message } : { message, suggestion }
}

const ofColumn = (table: Field, column: string): Complaint | undefined => {
  if (table.type !== "table")
    return { message: `"${table.name}" is ${article(table.type)}, not a table: it has no columns to sum up.` }
  const found = table.columns.find(({ name }) => name === column)
  if (found === undefined)
    return unknown(
      "column",
      `${table.name}.${column}`,
      table.columns.map(({ name }) => `${table.name}.${name}`)
    )
  return numeric.has(found.type)
    ? undefined
    : {
        message: `The column "${table.name}.${column}" is ${article(found.type)}: only numbers can be added up.`
      }
}

const ofTerm = (fields: ReadonlyArray<Field>, { column, field: name }: Term): Complaint | undefined => {
  const field = fields.find((other) => other.name === name)
  if (field === undefined)
    return unknown(
      "field",
      name,
      fields.map((other) => other.name)
    )
  if (column !== undefined) return ofColumn(field, column)
  if (field.type === "table")
    return { message: `"${name}" is a table: sum up one of its columns, as in sum(${name}.amount).` }
  return numeric.has(field.type)
    ? undefined
    : { message: `"${name}" is ${article(field.type)}: only numbers can be added up.` }
}

/** What is wrong with the relations of an `extract` step: terms that no field has, or whose type cannot be added up. */
export const relationProblems = (config: unknown): ReadonlyArray<ConfigProblem> =>
  Option.match(Schema.decodeUnknownOption(Written)(config), {
    onNone: () => [],
    onSome: (written) => {
      const fields = Object.entries(written.fields).map(([name, definition]) =>
        checkedField(name, definition)
      )
      return written.relations.flatMap((text, index): ReadonlyArray<ConfigProblem> =>
        (parseEquation(text)?.terms ?? []).flatMap((term) => {
          const complaint = ofTerm(fields, term)
          return complaint === undefined ? [] : [{ ...complaint, path: ["relations", index] }]
        })
      )
    }
  })
