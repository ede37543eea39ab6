import type { Candidate } from "../layout/Candidate.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** A form that a state prescribes, on which the two parties are told apart by their places: what says so is turned, or in single letters. */
interface OfficialForm {
  /** Its title, without spaces. */
  readonly title: RegExp
  /** The label of the name of each party. */
  readonly label: RegExp
  /** Which of two names next to each other is the seller's; of two below each other it is the lower one. */
  readonly seller: "left" | "right"
}

const forms: ReadonlyArray<OfficialForm> = [
  // China: the fully digitalized invoice has the buyer on the left, the one before had it above.
  { title: /电子发票|增值税(?:电子)?(?:专用|普通)发票/u, label: /^名\s?称[:：]?$/u, seller: "right" },
  // Korea: 공급자 on the left, 공급받는자 on the right.
  { title: /세금계산서/u, label: /^상호[:：]?$/u, seller: "left" }
]

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
  const form = forms.find((one) => one.title.test(title))
  if (page === undefined || form === undefined) return undefined
  const [first, second, ...others] = placesOf(page.rows, form.label)
  if (first === undefined || second === undefined || others.length > 0) return undefined
  const line = page.lineHeight
  const isNear = (name: Candidate<string>, { middle }: Place): boolean =>
    name.span.page === 0 && Math.abs(name.bbox.y + name.bbox.h / 2 - middle) < nearby * line
  const isSideBySide = Math.abs(first.middle - second.middle) < 0.5 * line
  if (!isSideBySide)
    return (name) => (isNear(name, second) ? "own" : isNear(name, first) ? "rival" : undefined)
  return (name) => {
    if (!isNear(name, first)) return undefined
    const side = name.bbox.x + name.bbox.w / 2 < second.token.x ? "left" : "right"
    return side === form.seller ? "own" : "rival"
  }
}
