import type { Field } from "../lexicon/Field.ts"
import type { PageModel, Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { relation } from "../layout/SpatialRelation.ts"
import { holds, type Place } from "./Place.ts"

/** The tokens of a row that a place lies on; undefined where it lies on none. */
const spanOf = (model: PageModel, place: Place): Span | undefined => {
  const [box] = place.lines
  if (box === undefined) return undefined
  const middle = box.y + box.h / 2
  for (const [row, tokens] of model.rows.entries()) {
    const own = tokens.flatMap((token, index) =>
      holds(box, token) && middle >= token.y - 1 && middle <= token.y + token.h + 1 ? [index] : []
    )
    const [from] = own
    if (from !== undefined) return { page: place.page, row, from, to: own.at(-1) ?? from }
  }
  return undefined
}

/** How well a place fits the labels of a field, 0–1. */
export const labelFit = (reading: Reading, field: Field, place: Place): number => {
  const labels = reading.labels.filter(
    ({ label, span }) => label.names && label.field === field.name && span.page === place.page
  )
  const model = reading.pages[place.page]
  const [bbox] = place.lines
  if (labels.length === 0 || model === undefined || bbox === undefined) return 0
  const span = spanOf(model, place)
  if (span === undefined) return 0
  const value = { span, bbox }
  const fits = labels.map(
    (match) => relation(model, match, value, field.positions, () => 1) * match.quality * match.label.weight
  )
  return Math.max(...fits)
}
