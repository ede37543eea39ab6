import { textOfWords } from "../../domain/LineText.ts"
import type { Candidate } from "../layout/Candidate.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** The party whose name something is. */
export type Party = "own" | "rival"

interface Place {
  readonly token: Token
  readonly row: number
  /** The token of the row that is right behind the label. */
  readonly next: number
  readonly middle: number
}

const placesOf = (rows: ReadonlyArray<ReadonlyArray<Token>>, label: RegExp): ReadonlyArray<Place> =>
  rows.flatMap((tokens, row) => {
    // `名  称：` fills the width of its column; `销 名称：` begins with a letter of the next column.
    const places = tokens.flatMap((token, at): ReadonlyArray<Place> => {
      const taken = [1, 2].find((count) => label.test(textOfWords(tokens.slice(at, at + count))))
      return taken === undefined ? [] : [{ token, row, next: at + taken, middle: token.y + token.h / 2 }]
    })
    return places.filter(({ next }, at) => places[at - 1]?.next !== next)
  })

/** How far from its label a name is, in lines. */
const nearby = 1

/**
 * Tells the parties of an official form apart by the places of their names: `own` is the seller. Undefined for other documents and
 * for what is not near the labels of the names, or behind another word in the row of its label, as the name of its manager is.
 */
export const partyInForm = (
  reading: Reading
): ((name: Candidate<string>) => Party | undefined) | undefined => {
  const [page] = reading.pages
  const title = reading.text.replace(/\s/gu, "")
  const form = [...reading.lexicon.countries.values()]
    .flatMap((country) => country.form ?? [])
    .find((one) => one.title.test(title))
  if (page === undefined || form === undefined) return undefined
  const [first, second, ...others] = placesOf(page.rows, form.label)
  if (first === undefined || second === undefined || others.length > 0) return undefined
  const line = page.lineHeight
  const isNear = ({ bbox, span }: Candidate<string>, { middle, next, row }: Place): boolean =>
    span.page === 0 &&
    Math.abs(bbox.y + bbox.h / 2 - middle) < nearby * line &&
    (span.row !== row || span.from <= next)
  if (Math.abs(first.middle - second.middle) >= 0.5 * line)
    return (name) => (isNear(name, second) ? "own" : isNear(name, first) ? "rival" : undefined)
  return (name) => {
    const side = name.bbox.x + name.bbox.w / 2 < second.token.x ? "left" : "right"
    if (!isNear(name, side === "left" ? first : second)) return undefined
    return side === form.seller ? "own" : "rival"
  }
}
