import type { PresetName } from "../fields/PresetNames.ts"
import { presets } from "../fields/Presets.ts"
import { type FieldWords, type Lexicon, ofLexicon } from "./Lexicon.ts"

const noWords: FieldWords = { labels: [], weak: [], not: [] }

/** `invoice.documentType` is told by the titles of credit notes, and of invoices. */
const titleWords = (lexicon: Lexicon): FieldWords => {
  const titles = (kind: "invoice" | "credit-note") =>
    lexicon.merged(lexicon.languages.map(({ kinds }) => kinds[kind]?.titles ?? []))
  return { labels: titles("credit-note"), weak: titles("invoice"), not: [] }
}

/** The documents before an invoice that it may name with their dates and numbers. */
const earlier = ["quote", "purchase-order", "order-confirmation", "delivery-note", "contract"] as const

/** What introduces the date of another document: `Auftragsbestätigung vom`, `Angebot Nr. 12 vom`. */
const datesOfOthers = ofLexicon(({ languages }): ReadonlyArray<string> =>
  languages.flatMap(({ kinds, words }) => {
    const titles = earlier.flatMap((kind) => kinds[kind]?.titles ?? [])
    // `Order … Date` heads a column of its own.
    const dated = (words.dated ?? []).filter((word) => word !== "date")
    return titles.flatMap((title) => dated.flatMap((word) => [`${title} ${word}`, `${title} * ${word}`]))
  })
)

/** The labels of a preset in all languages, with those it takes over from other presets. */
export const fieldWords = (lexicon: Lexicon, name: PresetName | undefined): FieldWords => {
  if (name === undefined) return noWords
  if (name === "invoice.documentType") return titleWords(lexicon)
  const { fallback, rivals = [] } = presets[name]
  const own = lexicon.field(name)
  const other = fallback === undefined ? noWords : lexicon.field(fallback)
  return {
    labels: own.labels,
    weak: [...own.weak, ...other.labels],
    not: [
      ...own.not,
      ...other.not,
      ...rivals.flatMap((rival) => lexicon.field(rival).labels),
      ...(name === "invoice.date" ? datesOfOthers(lexicon) : [])
    ]
  }
}
