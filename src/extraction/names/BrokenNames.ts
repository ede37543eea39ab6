import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { around, type PageModel } from "../layout/PageModel.ts"
import { isForm, type NameWords } from "../lexicon/NameWords.ts"
import { leadsToPartners } from "./NameEnds.ts"
import { beginsPhrase, continues, endsPhrase, type Forms, isName, type WrappedName } from "./WrappedNames.ts"

/** The most words in which a form goes on below its first line. */
const mostWordsOfRest = 3
/** How much higher than usual the letters of a name are that is set apart from its address. */
const setApart = 1.1

/** Whether the line breaks within a legal form: `Sudety Resort Spółka z ograniczoną` / `odpowiedzialnością`. */
const isInForm = (words: Forms, above: string, last: string): boolean => {
  if (last.split(/\s+/u).length > mostWordsOfRest || words.endsInForm(last)) return false
  const whole = `${above} ${last}`
  const name = words.withoutForm(whole).trim()
  return words.endsInForm(whole) && name !== "" && name.length < above.length
}

const plainWords = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []

/** What tells a word of a name from the title of a document, or the heading of a block. */
type Headings = Pick<NameWords, "isTitle" | "isNameLabel" | "isContact" | "isHonorific">

/** One long word above a name, in letters as large: `Bedachungen` above `Kruse & Sohn GmbH`. A title or a heading is none. */
const isTrade = (words: Headings, text: string): boolean =>
  /^\p{Lu}\p{Ll}{5,}$/u.test(text) &&
  !words.isTitle(text) &&
  !words.isNameLabel(text) &&
  !words.isContact(text) &&
  !words.isHonorific(text)

/**
 * Whether the line breaks between the words of a name: `Nordanvind Redovisning i` / `Medelpad AB`, where the first line cannot end, or
 * in larger letters than are usual, `FRUTAS Y VERDURAS HERMANOS` / `OLMEDILLA, S.L.`
 */
const isBetweenWords = (
  words: Forms & Headings,
  usual: number,
  above: Candidate<string>,
  last: Candidate<string>
): boolean => {
  if (!words.endsInForm(last.value) || words.endsInForm(above.value)) return false
  const own = plainWords(above.value)
  if (plainWords(last.value).some((word) => own.includes(word))) return false
  const isAlike = Math.abs(above.bbox.h - last.bbox.h) < 0.02 * last.bbox.h
  return (
    words.goesOn(above.value) ||
    (isAlike && above.bbox.h > usual * setApart && (own.length > 1 || isTrade(words, above.value)))
  )
}

/**
 * Whether the name of a letterhead goes on in the next line of a foot with what kind of firm it is: `Brinkmeier & Ohlsen` above
 * `Steuerberatungsgesellschaft mbH`.
 */
const isOfLetterhead = (
  words: Forms,
  segments: ReadonlyArray<Candidate<string>>,
  above: Candidate<string>,
  last: Candidate<string>
): boolean =>
  words.endsInForm(last.value) &&
  !words.endsInForm(above.value) &&
  plainWords(above.value).length > 1 &&
  /^\p{L}+$/u.test(words.withoutForm(last.value).trim()) &&
  segments.some((other) => other !== above && other.value === above.value && other.bbox.h > above.bbox.h)

/** Names that break within their legal form or between their words, joined; the last line alone is no name. */
export const brokenNames = (
  segments: ReadonlyArray<Candidate<string>>,
  words: Forms & Headings,
  pages: ReadonlyArray<PageModel>
): ReadonlyArray<WrappedName> => {
  const byRow = Map.groupBy(segments, ({ span }) => rowKey(span.page, span.row))
  return segments.flatMap((last): ReadonlyArray<WrappedName> => {
    const { page, row } = last.span
    if (isForm(words, last.value) || !beginsPhrase(pages, last)) return []
    const above = [row - 1, row - 2]
      .flatMap((at) => byRow.get(rowKey(page, at)) ?? [])
      .find((one) => endsPhrase(pages, one) && continues(one, last))
    if (above === undefined) return []
    const isPartnership = leadsToPartners(above.value) && !/[\d@:;]/u.test(last.value)
    if (!isName(above) && !isPartnership) return []
    const isBroken =
      isPartnership ||
      isInForm(words, above.value, last.value) ||
      isOfLetterhead(words, segments, above, last) ||
      (beginsPhrase(pages, above) &&
        isBetweenWords(words, pages[page]?.lineHeight ?? last.bbox.h, above, last))
    if (!isBroken) return []
    const joined = {
      ...above,
      bbox: around([above.bbox, last.bbox]),
      text: `${above.text} ${last.text}`,
      value: `${above.value} ${last.value}`
    }
    return [isPartnership ? { joined, last, first: above } : { joined, last }]
  })
}
