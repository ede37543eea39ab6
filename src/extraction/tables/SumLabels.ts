import { rowKey } from "../layout/Candidate.ts"
import { type Field, fieldOf } from "../lexicon/Field.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { type LabelMatch, labelMatches } from "../layout/LabelMatches.ts"
import { type LabelIndex, labelIndex } from "../layout/Labels.ts"
import type { Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { PresetName } from "../fields/PresetNames.ts"

/** The label of a sum in a row. */
export interface SumLabel {
  readonly span: Span
  /** Whether the flow asks for the sum; of others only their usual labels are known, which may begin an item too. */
  readonly isAsked: boolean
}

/** The labels of sums in a row of a page. */
export type SumLabels = (page: number, row: number) => ReadonlyArray<SumLabel>

const leastQuality = 0.7

/** The sums that end the table of an invoice, whether a flow asks for them or not. */
const usualSums = [
  "invoice.subtotal",
  "invoice.taxAmount",
  "invoice.totalAmount"
] as const satisfies ReadonlyArray<PresetName>

const indexes = ofLexicon(() => new Map<string, LabelIndex>())

/** The labels of the sums that a flow does not ask for. */
const indexOf = (presets: ReadonlyArray<PresetName>, lexicon: Lexicon): LabelIndex => {
  const kept = indexes(lexicon)
  const key = presets.join()
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = labelIndex(
    presets.map((preset) => fieldOf(preset, { preset }, lexicon)),
    lexicon
  )
  kept.set(key, made)
  return made
}

const spansOf = (labels: ReadonlyArray<LabelMatch>, isAsked: boolean): ReadonlyArray<SumLabel> =>
  labels
    .filter(({ label, quality }) => quality >= leastQuality && label.names)
    .map(({ span }) => ({ span, isAsked }))

/**
 * The labels of sums in the rows of a document: those of the amounts that a flow asks for, and the usual ones of sums that
 * it does not ask for. The labels of a page are looked for when the first of its rows is asked about.
 */
export const sumLabelsOf = (reading: Reading, fields: ReadonlyArray<Field>): SumLabels => {
  const money = new Set(fields.filter(({ type }) => type === "money").map(({ name }) => name))
  const others = usualSums.filter((name) => !fields.some(({ preset }) => preset === name))
  const index = others.length === 0 ? undefined : indexOf(others, reading.lexicon)
  const pages = new Map<number, ReadonlyMap<string, ReadonlyArray<LabelMatch>>>()
  const othersOn = (page: number): ReadonlyMap<string, ReadonlyArray<LabelMatch>> => {
    const model = reading.pages[page]
    const known = pages.get(page)
    if (known !== undefined || index === undefined || model === undefined) return known ?? new Map()
    const found = Map.groupBy(labelMatches(index, model, page), ({ span }) => rowKey(page, span.row))
    pages.set(page, found)
    return found
  }
  return (page, row) => {
    const key = rowKey(page, row)
    const asked = (reading.labelsByRow.get(key) ?? []).filter(({ label }) => money.has(label.field))
    return [...spansOf(asked, true), ...spansOf(othersOn(page).get(key) ?? [], false)]
  }
}
