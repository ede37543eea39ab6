import type { Candidate } from "../layout/Candidate.ts"
import { isForm, type NameWords } from "../lexicon/NameWords.ts"
import { around, type PageModel } from "../layout/PageModel.ts"

const mostLines = 3

/** Whether one line is right under another, at the same edge, or in its middle. */
const isRightUnder = (above: Candidate<string>, below: Candidate<string>): boolean => {
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
    aligned
  )
}

/** Whether one line goes on in another: right under it, at the same edge, in letters of the same size, without digits. */
export const continues = (above: Candidate<string>, below: Candidate<string>): boolean =>
  isRightUnder(above, below) && Math.abs(above.bbox.h - below.bbox.h) < 0.2 * above.bbox.h

/** How small the letters of a legal form are below a name in large ones. */
const smallest = 0.25

/** Whether a legal form is in smaller letters under its name, as below that of a letterhead. */
const isFormBelow = (above: Candidate<string>, form: Candidate<string>): boolean =>
  isRightUnder(above, form) && form.bbox.h < above.bbox.h && form.bbox.h > smallest * above.bbox.h

const dash = /^[-–—]$/u

/** The dash between a line and the form behind it, in one phrase: `CONSTRUÇÕES LTDA – ME`. */
const dashBetween = (
  pages: ReadonlyArray<PageModel>,
  line: Candidate<string>,
  { span: { from, page, row } }: Candidate<string>
): string | undefined => {
  const tokens = pages[page]?.rows[row]
  const [before, between, first] = [tokens?.[from - 2], tokens?.[from - 1], tokens?.[from]]
  const isOneLine = line.span.page === page && line.span.row === row && line.span.to === from - 2
  const isOnePhrase = before?.phrase === between?.phrase && between?.phrase === first?.phrase
  return isOneLine && isOnePhrase && dash.test(between?.text ?? "") ? between?.text : undefined
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

/** Whether nothing is in front of a line in its phrase: `ME` in `CONSTRUÇÕES LTDA · ME` goes on in no line above. */
export const beginsPhrase = (pages: ReadonlyArray<PageModel>, { span }: Candidate<string>): boolean => {
  const tokens = pages[span.page]?.rows[span.row]
  return tokens?.[span.from - 1]?.phrase !== tokens?.[span.from]?.phrase
}

/** Whether nothing is behind a line in its phrase: the article in front of the label `A vevő neve` goes on in no line below. */
export const endsPhrase = (pages: ReadonlyArray<PageModel>, { span }: Candidate<string>): boolean => {
  const tokens = pages[span.page]?.rows[span.row]
  return tokens?.[span.to + 1]?.phrase !== tokens?.[span.to]?.phrase
}

export const isName = ({ value }: Candidate<string>): boolean =>
  !/[\d@:;]|,$|\.$/u.test(value) && /^\p{Lu}/u.test(value)

/** What tells the legal form of a name. */
export type Forms = Pick<NameWords, "endsInForm" | "withoutForm" | "goesOn">

/** A name over several lines, and its last line, which is no name alone. */
export interface WrappedName {
  readonly joined: Candidate<string>
  readonly last: Candidate<string>
  /** Its first line, where that is no name alone either. */
  readonly first?: Candidate<string>
}

/**
 * A form with the line in front of it that ends in a form as well: `ME` is no line of its own in `CONSTRUÇÕES LTDA – ME`, and
 * what is above is above the whole line.
 */
const withSecondForm = (
  segments: ReadonlyArray<Candidate<string>>,
  words: Forms,
  pages: ReadonlyArray<PageModel>,
  form: Candidate<string>
): Candidate<string> => {
  for (const line of segments) {
    const between = dashBetween(pages, line, form)
    if (between === undefined || !words.endsInForm(line.value)) continue
    const join = (front: string, end: string): string => `${front} ${between} ${end}`
    return {
      ...line,
      span: { ...line.span, to: form.span.to },
      bbox: around([line.bbox, form.bbox]),
      text: join(line.text, form.text),
      value: join(line.value, form.value)
    }
  }
  return form
}

/** How much of the width of the lines below a line has, with the next word, that breaks before it. */
const fullLine = 0.9

/** Whether a line breaks before the next word: `Adress` is the heading above `Hallgrens Rör & Värme i Enköping`, which would have had room. */
const isFull = (above: Candidate<string>, below: ReadonlyArray<Candidate<string>>): boolean => {
  const [next] = below
  if (next === undefined) return false
  const [word = ""] = next.value.split(/\s/u)
  const wordWidth = (next.bbox.w * word.length) / Math.max(1, next.value.length)
  return above.bbox.w + wordWidth >= fullLine * Math.max(...below.map(({ bbox }) => bbox.w))
}

/**
 * Names over several lines, joined: `Northern Counties` / `Catering Equipment` / `Limited`, and `Tasman Supplies   LTD`. Only
 * where the last part is nothing but a legal form: two lines that are names by themselves are two names.
 */
export const wrappedNames = (
  segments: ReadonlyArray<Candidate<string>>,
  words: Forms,
  pages: ReadonlyArray<PageModel>
): ReadonlyArray<WrappedName> =>
  segments.flatMap((form) => {
    if (!isForm(words, form.value)) return []
    const last = withSecondForm(segments, words, pages, form)
    const lines = [last]
    for (let count = 1; count < mostLines; count++) {
      const [first] = lines
      const above =
        first &&
        segments.findLast(
          (one) =>
            (beginsPhrase(pages, first) &&
              endsPhrase(pages, one) &&
              (continues(one, first) ||
                (first === form && endsPhrase(pages, form) && isFormBelow(one, form)))) ||
            (first === last && isBeside(one, first))
        )
      // `Rigging Company` / `Limited`: a form alone belongs to what is above it, also if that could be a name.
      if (
        above === undefined ||
        !isName(above) ||
        (lines.length > 1 && !isFull(above, lines)) ||
        (words.endsInForm(above.value) && first !== last)
      )
        break
      // `Firma Ltda – ME` can be a whole name, whatever is above it.
      if (first === last && last !== form && !words.goesOn(above.value)) break
      lines.unshift(above)
    }
    const [first] = lines
    if (first === undefined || first === form) return []
    const text = lines.map((line) => line.text).join(" ")
    const value = lines.map((line) => line.value).join(" ")
    return [{ joined: { ...first, bbox: around(lines.map(({ bbox }) => bbox)), text, value }, last: form }]
  })
