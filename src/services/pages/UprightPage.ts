import type { Page } from "../../domain/DocumentIR.ts"
import type { FieldPlace, PageText } from "../../domain/PageText.ts"
import { toUpright, turnedSize } from "../../domain/Slant.ts"
import type { PlaceOnPage } from "./PagesOfRecords.ts"

const cents = (value: number): number => Math.round(value * 100) / 100

/** The number of quarter turns that make a page upright. */
export const turnsOf = ({ slant }: Pick<Page, "slant">): 0 | 1 | 2 | 3 => slant?.turns ?? 0

/** The size of a page that is turned upright, in points. */
export const uprightSize = (page: Pick<Page, "slant" | "width" | "height">) =>
  turnedSize({ turns: turnsOf(page), skew: 0 }, page)

/** The text layer of a page turned upright by quarter turns, with the places of fields on it. */
export const uprightPage = (page: Page, places: ReadonlyArray<PlaceOnPage>): PageText => {
  const turns = turnsOf(page)
  const upright = (box: Parameters<typeof toUpright>[2]) => {
    const { h, w, x, y } = toUpright({ turns, skew: 0 }, page, box)
    return { x: cents(x), y: cents(y), w: cents(w), h: cents(h) }
  }
  return {
    page: page.pageNumber,
    ...uprightSize(page),
    turns,
    ...(page.source === undefined ? {} : { source: page.source }),
    ...(page.problem === undefined ? {} : { problem: page.problem }),
    lines: page.lines.map(({ bbox, text, words }) => ({
      text,
      words: (words ?? [{ text, bbox }]).map((word) => ({ text: word.text, bbox: upright(word.bbox) }))
    })),
    places: places.flatMap((place): Array<FieldPlace> => {
      if (place.page !== page.pageNumber) return []
      const { page: _page, ...rest } = place
      return [{ ...rest, bbox: upright(place.bbox) }]
    })
  }
}
