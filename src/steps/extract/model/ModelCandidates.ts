import { Effect } from "effect"
import { quoted } from "../../models/Quoted.ts"
import type { Field } from "../Field.ts"
import type { SearchableText } from "../grounding/SearchableText.ts"
import { rankedOf } from "../Rules.ts"
import type { Found } from "../ExtractSource.ts"

const mostPerField = 4
const longestValue = 120

/** What the rules read for a field, and on which page; without a page where it appears nowhere. */
export interface FieldCandidate {
  readonly text: string
  readonly pageNumber?: number
}

const candidate = (field: Field, value: unknown, pageNumber: number | undefined): FieldCandidate => {
  const text = `${field.name}: ${String(value).slice(0, longestValue)}`
  return pageNumber === undefined ? { text } : { text: `${text} (page ${pageNumber})`, pageNumber }
}

/** The value found for each field, and others that are next to its labels. Lets others run between fields. */
export const candidatesOf = Effect.fnUntraced(function* (
  searchable: SearchableText,
  fields: ReadonlyArray<Field>,
  found: Found
): Effect.fn.Return<ReadonlyArray<FieldCandidate>> {
  const candidates: Array<FieldCandidate> = []
  for (const field of fields) {
    if (field.type === "table") continue
    yield* Effect.yieldNow
    const evidence = found[field.name]
    const known = evidence === undefined || evidence.status === "missing" ? [] : [evidence]
    const all = [
      ...known.map(({ value, page }) => candidate(field, value, page)),
      ...rankedOf(searchable.reading, field).map(({ value, span }) =>
        candidate(field, value, searchable.reading.pages[span.page]?.pageNumber)
      )
    ]
    candidates.push(...[...new Map(all.map((one) => [one.text, one])).values()].slice(0, mostPerField))
  }
  return candidates
})

/**
 * What the rules read on some pages, for a model to judge. It is the document's text, and marked as such. Empty where
 * there is nothing.
 */
export const candidatesText = (
  candidates: ReadonlyArray<FieldCandidate>,
  pageNumbers?: ReadonlyArray<number>
): string => {
  const lines = candidates.filter(
    ({ pageNumber }) =>
      pageNumber === undefined || pageNumbers === undefined || pageNumbers.includes(pageNumber)
  )
  return lines.length === 0
    ? ""
    : `What simple rules read in the document; it may be wrong:\n${quoted(lines.map(({ text }) => text).join("\n"))}\n`
}
