import type { Candidate } from "../layout/Candidate.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** The party whose name something is. */
export type Party = "own" | "rival"

interface Place {
  readonly token: Token
  readonly middle: number
}

const placesOf = (rows: ReadonlyArray<ReadonlyArray<Token>>, label: RegExp): ReadonlyArray<Place> =>
  rows.flatMap((row) =>
    row.flatMap((token) => (label.test(token.text) ? [{ token, middle: token.y + token.h / 2 }] : []))
  )

/** How far from its label a name is, in lines. */
const nearby = 1

/**
 * Tells the parties of an official form apart by the places of their names: `own` is the seller. Undefined for other documents and
 * for what is not near the labels of the names.
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
  const isNear = (name: Candidate<string>, { middle }: Place): boolean =>
    name.span.page === 0 && Math.abs(name.bbox.y + name.bbox.h / 2 - middle) < nearby * line
  if (Math.abs(first.middle - second.middle) >= 0.5 * line)
    return (name) => (isNear(name, second) ? "own" : isNear(name, first) ? "rival" : undefined)
  return (name) => {
    if (!isNear(name, first)) return undefined
    const side = name.bbox.x + name.bbox.w / 2 < second.token.x ? "left" : "right"
    return side === form.seller ? "own" : "rival"
  }
}
