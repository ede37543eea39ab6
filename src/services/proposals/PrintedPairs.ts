import type { DocumentIR, Line } from "../../domain/DocumentIR.ts"

/** A label and the value printed next to it on a page. */
export interface PrintedPair {
  readonly label: string
  readonly value: string
  readonly page: number
}

/** A gap between two words of a line that is wider than this part of the line's height separates columns. */
const columnGap = 1.2
const longestLabel = 40
const mostPairs = 400

/** The parts of a line that wide gaps separate; a line without words is one part. */
const segmentsOf = ({ bbox, text, words = [] }: Line): ReadonlyArray<string> => {
  if (words.length === 0) return [text]
  const segments: Array<Array<string>> = [[]]
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    const gap = before === undefined ? 0 : word.bbox.x - (before.bbox.x + before.bbox.w)
    if (gap > columnGap * bbox.h) segments.push([])
    segments.at(-1)?.push(word.text)
  }
  return segments.map((segment) => segment.join(" "))
}

/** Whether a string can be a label: one to six words that begin with a letter and hold more letters than digits. */
const isLabel = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const digits = text.match(/\p{N}/gu)?.length ?? 0
  return (
    text.length <= longestLabel &&
    text.split(/\s+/u).length <= 6 &&
    letters >= 2 &&
    digits <= 1 &&
    /^\p{L}/u.test(text)
  )
}

/** Whether a string next to a label without a colon is a value by its form: it has a digit and is short. */
const looksLikeValue = (text: string): boolean =>
  /\p{N}/u.test(text) && text.length <= 40 && text.split(/\s+/u).length <= 4

const pairsOf = (segments: ReadonlyArray<string>, page: number): ReadonlyArray<PrintedPair> => {
  const pairs: Array<PrintedPair> = []
  for (let index = 0; index < segments.length; index++) {
    const segment = (segments[index] ?? "").trim()
    const next = segments[index + 1]?.trim() ?? ""
    const inline = /^([^::]+?)\s*[::]\s+(\S.*)$/u.exec(segment)
    const [, label = segment.replace(/\s*[::]$/u, ""), value] = inline ?? []
    if (!isLabel(label)) continue
    if (value !== undefined) pairs.push({ label, value, page })
    else if (next !== "" && (/[::]$/u.test(segment) || (segments.length === 2 && looksLikeValue(next)))) {
      pairs.push({ label, value: next, page })
      index++
    }
  }
  return pairs
}

/**
 * The labels of a document with the values to their right, as `Policy: 4711` or `Policy    4711`, in reading order; up to
 * 400. Rows of tables with more than two columns have none.
 */
export const printedPairs = (document: DocumentIR): ReadonlyArray<PrintedPair> =>
  document.pages
    .flatMap(({ lines, pageNumber }) => lines.flatMap((line) => pairsOf(segmentsOf(line), pageNumber)))
    .slice(0, mostPairs)
