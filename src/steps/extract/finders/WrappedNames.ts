import type { Candidate } from "../candidates/Candidate.ts"
import type { NameWords } from "../lexicon/NameWords.ts"
import { around } from "../page/PageModel.ts"

const mostLines = 3

/** Whether one line goes on in another: right under it, at the same edge, in letters of the same size, without digits. */
const continues = (above: Candidate<string>, below: Candidate<string>): boolean => {
  const height = above.bbox.h
  const gap = below.bbox.y - (above.bbox.y + height)
  const [middle, next] = [above.bbox.x + above.bbox.w / 2, below.bbox.x + below.bbox.w / 2]
  const right = above.bbox.x + above.bbox.w - (below.bbox.x + below.bbox.w)
  const aligned =
    Math.abs(above.bbox.x - below.bbox.x) < 0.5 * height ||
    Math.abs(middle - next) < 0.5 * height ||
    Math.abs(right) < 0.5 * height
  return (
    above.span.page === below.span.page &&
    below.span.row > above.span.row &&
    below.span.row - above.span.row <= 2 &&
    gap < 1.2 * height &&
    gap > -0.5 * height &&
    Math.abs(above.bbox.h - below.bbox.h) < 0.2 * height &&
    aligned
  )
}

/** Whether a form is right behind a line, where wide letters or a scan leave a gap as wide as one between columns. */
const isBeside = (line: Candidate<string>, form: Candidate<string>): boolean => {
  const gap = form.bbox.x - (line.bbox.x + line.bbox.w)
  return (
    line.span.page === form.span.page &&
    line.span.row === form.span.row &&
    line.span.to === form.span.from - 1 &&
    gap < 1.5 * line.bbox.h
  )
}

const isName = ({ value }: Candidate<string>): boolean =>
  !/[\d@:;]|,$|\.$/u.test(value) && /^\p{Lu}/u.test(value)

/** What tells the legal form of a name. */
type Forms = Pick<NameWords, "endsInForm" | "withoutForm">

/** A name over several lines, and its last line, which is no name alone. */
export interface WrappedName {
  readonly joined: Candidate<string>
  readonly last: Candidate<string>
}

/**
 * Whether a line is nothing but a legal form, such as `GmbH & Co. KG`: the end of a name that began above. `株式会社北浜食品` is a
 * word with a form in front, which ends no name.
 */
export const isForm = ({ endsInForm: ends, withoutForm }: Forms, text: string): boolean =>
  text.split(/\s+/u).every((word) => word === "&" || (ends(word) && ends(`- ${word}`))) ||
  // `SA DE CV` is a form, but `DE` is none.
  (ends(`- ${text}`) && withoutForm(`- ${text}`).trim() === "-")

/**
 * Names over several lines, joined: `Northern Counties` / `Catering Equipment` / `Limited`, and `Tasman Supplies   LTD`. Only
 * where the last part is nothing but a legal form: two lines that are names by themselves are two names.
 */
export const wrappedNames = (
  segments: ReadonlyArray<Candidate<string>>,
  words: Forms
): ReadonlyArray<WrappedName> =>
  segments.flatMap((last) => {
    if (!isForm(words, last.value)) return []
    const lines = [last]
    for (let count = 1; count < mostLines; count++) {
      const [first] = lines
      const above = segments.findLast(
        (one) => first !== undefined && (continues(one, first) || (first === last && isBeside(one, first)))
      )
      // `Rigging Company` / `Limited`: a form alone belongs to what is above it, also if that could be a name.
      if (above === undefined || !isName(above) || (words.endsInForm(above.value) && first !== last)) break
      lines.unshift(above)
    }
    const [first] = lines
    if (lines.length === 1 || first === undefined) return []
    const text = lines.map((line) => line.text).join(" ")
    const value = lines.map((line) => line.value).join(" ")
    return [{ joined: { ...first, bbox: around(lines.map(({ bbox }) => bbox)), text, value }, last }]
  })
