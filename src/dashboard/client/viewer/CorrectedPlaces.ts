import type { Box } from "../../../domain/DocumentIR.ts"
import type { FieldPlace, PageText } from "../../../domain/PageText.ts"
import { type Item, keyOf } from "./ViewerItems.ts"

/** The maximum number of words of a value. */
const mostWords = 8

const folded = (text: string): string => text.toLowerCase().trim()

const around = (boxes: ReadonlyArray<Box>): Box => {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const [right, bottom] = [
    Math.max(...boxes.map((box) => box.x + box.w)),
    Math.max(...boxes.map((box) => box.y + box.h))
  ]
  return { x, y, w: right - x, h: bottom - y }
}

/** Where a value is printed on a page in the letters in which a person typed it. */
const printedAt = ({ lines }: PageText, value: unknown): Box | undefined => {
  const wanted = folded(String(value ?? ""))
  if (wanted === "") return undefined
  for (const { words } of lines) {
    for (const from of words.keys()) {
      for (let to = from + 1; to <= Math.min(words.length, from + mostWords); to++) {
        const run = words.slice(from, to)
        if (folded(run.map(({ text }) => text).join(" ")) === wanted)
          return around(run.map(({ bbox }) => bbox))
      }
    }
  }
  return undefined
}

/**
 * The places of fields on a page. A corrected value is where its box was drawn, or where it is printed as it was typed: the place
 * of the wrong value is no longer its place.
 */
export const placesWith = (page: PageText, corrected: ReadonlyArray<Item>): ReadonlyArray<FieldPlace> => {
  const keys = new Set(corrected.map(({ key }) => key))
  const moved = corrected.flatMap(({ column, drawn, field, row, step, value }): ReadonlyArray<FieldPlace> => {
    const bbox =
      drawn === undefined ? printedAt(page, value) : drawn.page === page.page ? drawn.bbox : undefined
    if (bbox === undefined) return []
    return [
      {
        step,
        field,
        bbox,
        ...(row === undefined ? {} : { row }),
        ...(column === undefined ? {} : { column })
      }
    ]
  })
  return [...page.places.filter((place) => !keys.has(keyOf(place))), ...moved]
}
