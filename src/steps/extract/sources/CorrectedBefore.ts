import { defined } from "../../../support/Defined.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { ConfirmedKind, Found, CorrectedName } from "../ExtractSource.ts"
import { type AlikeExample, weigh, agreed, originsOf } from "./WeighExamples.ts"
import { hasWordsOf } from "../../../extraction/examples/Sender.ts"
import type { Page } from "../../../domain/DocumentIR.ts"

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

/** The confidence in a name that replaces a mistake which a person corrected before. */
const sameMistake = 0.75

/** A single word, such as a currency, may be printed by anybody. */
const isLong = (name: string): boolean => /\S\s+\S/u.test(name)

/**
 * The names that people corrected in checked documents, if they are printed on this page too, or the sender is the same. A
 * document in which the name was accepted speaks against its correction. `sameSender`: the similarity from which a common mark
 * shows the sender.
 */
export const correctedNamesOf = (
  fields: ReadonlyArray<Field>,
  alike: ReadonlyArray<AlikeExample>,
  page: Page,
  sameSender: number
): Readonly<Record<string, CorrectedName>> =>
  Object.fromEntries(
    fields.flatMap(({ finder, name, type }) => {
      if (finder === "kind" || type === "table") return []
      const votes = alike.flatMap((one) => {
        const learned = one.example.fields[name]
        return typeof learned?.value === "string" ? [{ alike: one, learned, value: learned.value }] : []
      })
      const instead = votes.find(({ learned }) => learned.instead !== undefined)?.learned.instead
      const weighed = weigh(
        votes.filter(({ learned, value }) => learned.instead === instead || value === instead)
      )
      const best = weighed?.votes.find(({ learned }) => learned.instead !== undefined)
      if (instead === undefined || weighed === undefined || best === undefined) return []
      const { value } = best
      const isSameSender = best.alike.hasMark && best.alike.score >= sameSender
      // A sender may write invoices in several currencies.
      const isKnown = hasWordsOf(value, page)
        ? isSameSender || isLong(value)
        : isSameSender && finder !== "currency"
      if (!isKnown) return []
      const confidence = agreed(sameMistake, weighed)
      return [[name, { value, instead, confidence, learnedFrom: originsOf(weighed.votes) }] as const]
    })
  )

/** Replaces the names that rules read wrong in the same way as before. */
export const withoutOldMistakes = (
  found: Found,
  corrected: Readonly<Record<string, CorrectedName>>
): Found => ({
  ...found,
  ...Object.fromEntries(
    Object.entries(corrected).flatMap(([name, { instead, ...taught }]) =>
      found[name]?.by === "rules" && found[name].value === instead
        ? [[name, { ...taught, status: "inferred" as const, by: "examples" as const }]]
        : []
    )
  )
})
