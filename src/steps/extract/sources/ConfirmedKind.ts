import { defined } from "../../../support/Defined.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { ConfirmedKind, Found } from "../ExtractSource.ts"
import { type AlikeExample, weigh } from "./WeighExamples.ts"

/** The confidence in the kind that a person gave a document of the same layout. */
const sameKind = 0.93

/** The kind that people gave checked documents of the same sender, if the flow asks for one and they agree. */
export const confirmedKindOf = (
  fields: ReadonlyArray<Field>,
  alike: ReadonlyArray<AlikeExample>
): ConfirmedKind | undefined => {
  const field = fields.find(({ finder }) => finder === "kind")
  if (field === undefined) return undefined
  const weighed = weigh(
    alike.flatMap((one) => {
      const learned = one.example.fields[field.name]
      return typeof learned?.value === "string" ? [{ alike: one, learned, value: learned.value }] : []
    })
  )
  const [best] = weighed?.votes ?? []
  if (best === undefined || weighed?.doubt !== undefined) return undefined
  const instead = weighed?.votes.find(({ learned }) => learned.instead !== undefined)?.learned.instead
  return { field: field.name, value: best.value, ...defined({ instead }) }
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
