import type { PresetName } from "../presets/PresetNames.ts"
import { presets } from "../presets/Presets.ts"
import type { FieldWords, Lexicon } from "./Lexicon.ts"

const noWords: FieldWords = { labels: [], weak: [], not: [] }

/** `invoice.documentType` is told by the titles of credit notes, and of invoices. */
const titleWords = (lexicon: Lexicon): FieldWords => {
  const titles = (kind: "invoice" | "credit-note") =>
    lexicon.merged(lexicon.languages.map(({ kinds }) => kinds[kind]?.titles ?? []))
  return { labels: titles("credit-note"), weak: titles("invoice"), not: [] }
}

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
    not: [...own.not, ...other.not, ...rivals.flatMap((rival) => lexicon.field(rival).labels)]
  }
}
