import type { Box } from "../../domain/DocumentIR.ts"
import { around, type PageModel, type Span, tokensOf } from "../layout/PageModel.ts"

/** Where a value is. Boxes are on the upright page, as the rules read it. */
export interface Place {
  /** The page's index, from 0. */
  readonly page: number
  /** A box for each line that the value runs over. */
  readonly lines: ReadonlyArray<Box>
  readonly text: string
  /** How surely the text is the value, 0–1: less for a spelling or a reading that is only one of several. */
  readonly quality: number
}

/** The place of some consecutive tokens of a row. */
export const placeOfSpan = (pages: ReadonlyArray<PageModel>, span: Span, quality: number): Place => {
  const tokens = tokensOf(pages, span)
  return {
    page: span.page,
    lines: [around(tokens)],
    text: tokens.map(({ text }) => text).join(" "),
    quality
  }
}

/** The box around all lines of a place. */
export const boxOf = (place: Pick<Place, "lines">): Box => around(place.lines)

/** Whether the middle of a box lies in another, with some room for rounding. */
export const holds = (outer: Box, inner: Box): boolean => {
  const [x, y] = [inner.x + inner.w / 2, inner.y + inner.h / 2]
  return x >= outer.x - 1 && x <= outer.x + outer.w + 1 && y >= outer.y - 1 && y <= outer.y + outer.h + 1
}
