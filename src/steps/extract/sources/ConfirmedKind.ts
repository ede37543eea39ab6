import type { LearnedExample } from "../../../domain/LearnedExample.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { ConfirmedKind, Found } from "../ExtractSource.ts"

/** The confidence in the kind that a person gave a document of the same layout. */
const sameKind = 0.93

/** The kind that a person gave the document of an example, if the flow asks for one. */
export const confirmedKindOf = (
  fields: ReadonlyArray<Field>,
  { fields: learned }: LearnedExample
): ConfirmedKind | undefined => {
  const field = fields.find(({ finder }) => finder === "kind")
  const own = field === undefined ? undefined : learned[field.name]
  if (field === undefined || typeof own?.value !== "string") return undefined
  return {
    field: field.name,
    value: own.value,
    ...(own.instead === undefined ? {} : { instead: own.instead })
  }
}

/**
 * Whether a document is of the kind that a person gave another one of its layout. A seller's invoices and quotes have one layout:
 * a title that names another kind counts, unless the person corrected the same mistake before.
 */
export const holdsKind = (confirmed: ConfirmedKind | undefined, found: Found): confirmed is ConfirmedKind => {
  if (confirmed === undefined) return false
  const read = found[confirmed.field]
  if (read === undefined || read.status !== "grounded") return true
  return [confirmed.value, confirmed.instead, "other"].includes(String(read.value))
}

/** The evidence with the kind that a person gave another document of the layout. */
export const withConfirmedKind = (found: Found, { field, value }: ConfirmedKind): Found => {
  const read = found[field]
  const evidence =
    read?.value === value
      ? { ...read, confidence: Math.max(read.confidence, sameKind) }
      : { value, confidence: sameKind, status: "inferred" as const, by: "examples" as const }
  return { ...found, [field]: evidence }
}
