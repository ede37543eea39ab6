import type { Candidate } from "../layout/Candidate.ts"
import { identifiersOf } from "../candidates/Identifiers.ts"
import { parseFigure, parseMoney } from "../values/Money.ts"
import { parsePercent } from "../values/Numbers.ts"
import { patternMatches } from "../candidates/Patterns.ts"
import { rank } from "../candidates/Rank.ts"
import { best, type Ranked, scored } from "../candidates/Ranked.ts"
import { dayIn, percentsOf, phonesOf, typedValues } from "../candidates/TypedValues.ts"
import type { Field } from "../lexicon/Field.ts"
import { answerOf } from "../lexicon/YesNo.ts"
import type { Reading } from "../layout/Reading.ts"
import { segmentsOf } from "../layout/Segments.ts"
import type { Finder } from "./Finder.ts"
import type { Region } from "../fields/FieldDefinition.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { WordList } from "../lexicon/LexiconFile.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import type { Token } from "../layout/PageModel.ts"

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
const daysToPay = (reading: Reading): Array<Ranked<string>> => {
  const found = reading.dates.filter((date) => isDayToPay(reading, date))
  const [last] = found.toSorted((a, b) => b.value.localeCompare(a.value))
  return last === undefined ? [] : best([scored(last, inSentence)])
}

const half = (region: string, low: string, high: string): readonly [number, number] =>
  region.includes(low) ? [0, 0.5] : region.includes(high) ? [0.5, 1] : [0, 1]

/** Whether the middle of a value lies in a region of its page. */
const isInside = (reading: Reading, region: Region, { span, bbox }: Candidate): boolean => {
  const page = reading.pages[span.page]
  if (page === undefined) return false
  const x = (bbox.x + bbox.w / 2) / page.width
  const y = (bbox.y + bbox.h / 2) / page.height
  const [[left, right], [top, bottom]] =
    typeof region === "string"
      ? [half(region, "left", "right"), half(region, "top", "bottom")]
      : [
          [region.left, region.right],
          [region.top, region.bottom]
        ]
  return left <= x && x <= right && top <= y && y <= bottom
}

/** Reads a string that a flow's pattern picked as the field's type. */
const typed = (reading: Reading, field: Field, text: string): string | number | boolean | undefined => {
  switch (field.type) {
    case "date":
      return dayIn(reading, text)
    case "money":
    case "number":
      return parseFigure(text, reading.decimal)?.value
    case "percent":
      return parsePercent(text)
    case "integer": {
      const value = parseMoney(text, reading.decimal)?.value
      return Number.isInteger(value) ? value : undefined
    }
    case "boolean":
      return answerOf(reading.lexicon, text)
    default:
      return text
  }
}

const retyped = (reading: Reading, field: Field, found: ReadonlyArray<Candidate<string>>): Array<Candidate> =>
  found.flatMap((candidate) => {
    const value = typed(reading, field, candidate.value)
    return value === undefined ? [] : [{ ...candidate, value }]
  })

/** A bare figure is a poor amount but a perfect number. */
const asFigures = (money: ReadonlyArray<Candidate<number>>): Array<Candidate<number>> =>
  money.map(({ span, bbox, text, value }) => ({ span, bbox, text, value, quality: 0.95 }))

/** Everything in a document that could be a value of the field by its type. */
export const candidatesOf = (reading: Reading, field: Field): ReadonlyArray<Candidate> => {
  if (field.pattern !== undefined) return retyped(reading, field, patternMatches(reading, field.pattern))
  switch (field.type) {
    case "date":
      return reading.dates
    case "money":
      return reading.money
    case "number":
      return asFigures(reading.money)
    case "integer":
      return asFigures(reading.money.filter(({ value }) => Number.isInteger(value)))
    case "identifier":
      return identifiersOf(reading)
    case "percent":
      return [...typedValues(reading, field.type), ...percentsOf(reading, field.name)]
    case "iban":
    case "vatId":
    case "email":
      return typedValues(reading, field.type)
    case "phone":
      return phonesOf(reading)
    default:
      return retyped(reading, field, segmentsOf(reading))
  }
}

const distinct: ReadonlySet<string> = new Set(["iban", "vatId", "email", "phone"])

/** What is left when no label leads to a value: what a pattern matches, or is in a region. */
const unlabelled = (field: Field, candidates: ReadonlyArray<Candidate>): Array<Ranked> => {
  const [first] = candidates
  if (first === undefined) return []
  if (field.pattern !== undefined || field.region !== undefined) {
    const chosen = candidates[(field.occurrence ?? 1) - 1]
    return chosen === undefined ? [] : [{ ...chosen, score: field.pattern === undefined ? 0.5 : 0.6 }]
  }
  // An IBAN or an address of mail is known by its looks, if not whose it is.
  if (distinct.has(field.type)) {
    const different = new Set(candidates.map(({ value }) => value)).size
    return best(candidates.map((found) => scored(found, (different === 1 ? 0.85 : 0.6) * found.quality)))
  }
  return []
}

const find = (reading: Reading, field: Field): ReadonlyArray<Ranked> => {
  const { region } = field
  const everywhere = candidatesOf(reading, field)
  const candidates =
    region === undefined ? everywhere : everywhere.filter((candidate) => isInside(reading, region, candidate))
  const ranked = rank(reading, field, candidates)
  if (ranked.length > 0) return ranked
  if (field.preset === "invoice.dueDate" && region === undefined) {
    const days = daysToPay(reading)
    if (days.length > 0) return days
  }
  return unlabelled(field, candidates)
}

/** Finds values of the field's type by the labels next to them: any field without a finder of its own. */
export const labelFinder: Finder = { find }
