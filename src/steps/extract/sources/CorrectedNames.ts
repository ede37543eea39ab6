import { hasWordsOf } from "../../../document/examples/Sender.ts"
import type { Page } from "../../../domain/DocumentIR.ts"
import type { LearnedExample } from "../../../domain/LearnedExample.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { CorrectedName, Found } from "../ExtractSource.ts"

/** The confidence in a name that replaces a mistake which a person corrected before. */
const sameMistake = 0.75

/** A single word, such as a currency, may be printed by anybody. */
const isLong = (name: string): boolean => /\S\s+\S/u.test(name)

/** The names that a person corrected in an example, if they are printed on this page too, or the sender is the same. */
export const correctedNamesOf = (
  fields: ReadonlyArray<Field>,
  { fields: learned }: LearnedExample,
  page: Page,
  isSameSender: boolean
): Readonly<Record<string, CorrectedName>> =>
  Object.fromEntries(
    fields.flatMap(({ finder, name, type }) => {
      const { instead, value } = learned[name] ?? {}
      if (finder === "kind" || type === "table" || instead === undefined || typeof value !== "string")
        return []
      // A sender may write invoices in several currencies.
      const isKnown = hasWordsOf(value, page)
        ? isSameSender || isLong(value)
        : isSameSender && finder !== "currency"
      return isKnown ? [[name, { value, instead }] as const] : []
    })
  )

/** Replaces the names that rules read wrong in the same way as before. */
export const withoutOldMistakes = (
  found: Found,
  corrected: Readonly<Record<string, CorrectedName>>
): Found => ({
  ...found,
  ...Object.fromEntries(
    Object.entries(corrected).flatMap(([name, { instead, value }]) =>
      found[name]?.by === "rules" && found[name].value === instead
        ? [[name, { value, confidence: sameMistake, status: "inferred" as const, by: "examples" as const }]]
        : []
    )
  )
})
