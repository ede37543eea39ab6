import type { Field } from "./Field.ts"
import { best, type Ranked } from "./Ranked.ts"
import { rank } from "./Rank.ts"
import type { Reading } from "./Reading.ts"
import { segmentsOf } from "./Segments.ts"

const notAName = /^\d|@|:\/\/|www\.|:$/u

/** The line in small print in an address window: `Firm · Street 1 · 12345 Town`. What stands under it is who is written to. */
const isSenderLine = (text: string): boolean =>
  (text.match(/\s[·•|–-]\s|,\s/gu)?.length ?? 0) >= 2 && /\d{4,5}/u.test(text)

const underSenderLine = (reading: Reading, names: ReadonlyArray<Ranked<string>>): Array<Ranked<string>> => {
  const page = reading.pages[0]
  const row = page?.rows.findIndex((tokens) => isSenderLine(tokens.map(({ text }) => text).join(" "))) ?? -1
  const first = page?.rows[row]?.[0]
  if (page === undefined || first === undefined || first.y > 0.4 * page.height) return []
  const under = names.filter(
    ({ span, bbox }) =>
      span.page === 0 &&
      span.row > row &&
      span.row <= row + 4 &&
      Math.abs(bbox.x - first.x) < 2 * page.lineHeight
  )
  return under
    .toSorted((a, b) => a.span.row - b.span.row)
    .map((name, i) => ({ ...name, score: 0.65 / (i + 1) }))
}

/** Ranks what could be the name of the one who is invoiced: beside or under a label, or in the address window. */
export const customersOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const names = segmentsOf(reading).filter(
    ({ value }) => !notAName.test(value) && /\p{L}{2}/u.test(value) && value.length <= 70
  )
  const labelled = rank(reading, field, names)
  if (labelled.length > 0) return labelled
  return best(
    underSenderLine(
      reading,
      names.map((name) => ({ ...name, score: 0.6 }))
    )
  )
}
