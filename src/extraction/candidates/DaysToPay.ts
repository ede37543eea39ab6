import { textOfWords } from "../../domain/LineText.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { WordList } from "../lexicon/LexiconFile.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { best, type Ranked, scored } from "./Ranked.ts"

/** The most words between the word for paying and the day. */
const mostWords = 24
/** The most words of `by`: `entro e non oltre il`. */
const mostOfBy = 5
/** Nothing but its sentence says what such a day is. */
const inSentence = 0.55

const folded = (list: WordList) =>
  ofLexicon((lexicon: Lexicon): ReadonlySet<string> => new Set(lexicon.words(list).map(lexicon.foldLabel)))
const byWords = folded("by")
const netWords = folded("withoutDiscount")
const payWords = ofLexicon((lexicon) => wholeWords(lexicon.words("pay")))

/** Whether some words are the beginning, or the end, of a run of words, as they are compared. */
const touches = (
  lexicon: Lexicon,
  run: ReadonlyArray<Token>,
  words: ReadonlySet<string>,
  at: "start" | "end"
) =>
  Array.from({ length: Math.min(mostOfBy, run.length) }, (_, i) => i + 1).some((count) =>
    words.has(lexicon.fold(textOfWords(at === "start" ? run.slice(0, count) : run.slice(-count))))
  )

/** The words of the sentence in front of a day: those of its row, and of the row above, from which it may go on. */
const wordsBefore = ({ pages }: Reading, { from, page, row }: Candidate["span"]): ReadonlyArray<Token> => {
  const rows = pages[page]?.rows ?? []
  const above = (rows[row - 1] ?? []).slice(-mostWords)
  return [...above, ...(rows[row] ?? []).slice(0, from)].slice(-mostWords)
}

/** The rows of a box: `Please pay`, the amount and `by 25 February 2025` below each other. */
const rowsOfBox = 5

/** The words above a day in its column, where nothing but a word such as `by` is in front of it. */
const wordsAbove = ({ lexicon, pages }: Reading, { bbox, span }: Candidate<string>): ReadonlyArray<Token> => {
  const rows = pages[span.page]?.rows ?? []
  const row = rows[span.row] ?? []
  const first = row.findIndex(({ phrase }) => phrase === row[span.from]?.phrase)
  const [left, right] = [row[first]?.x ?? bbox.x, bbox.x + bbox.w]
  if (!byWords(lexicon).has(lexicon.fold(textOfWords(row.slice(first, span.from))))) return []
  return rows
    .slice(Math.max(0, span.row - rowsOfBox), span.row)
    .flatMap((above) => above.filter(({ w, x }) => x < right && x + w > left))
    .slice(-mostWords)
}

/** Whether running text says that a day is the one to pay by. */
const isDayToPay = (reading: Reading, date: Candidate<string>): boolean => {
  const { lexicon, pages } = reading
  const { page, row, to } = date.span
  const before = wordsBefore(reading, date.span)
  if (!touches(lexicon, before, byWords(lexicon), "end")) return false
  const behind = (pages[page]?.rows[row] ?? []).slice(to + 1, to + 1 + mostOfBy)
  return (
    touches(lexicon, behind, netWords(lexicon), "start") ||
    payWords(lexicon).test(textOfWords([...wordsAbove(reading, date), ...before]))
  )
}

/**
 * Days to pay by that running text names without a label: `Please settle the balance by 28 November 2025`, `bis 04.06.2025 ohne Abzug`.
 * The last of them is the one without a discount.
 */
export const daysToPay = (reading: Reading): Array<Ranked<string>> => {
  const found = reading.dates.filter((date) => isDayToPay(reading, date))
  const [last] = found.toSorted((a, b) => b.value.localeCompare(a.value))
  return last === undefined ? [] : best([scored(last, inSentence)])
}
