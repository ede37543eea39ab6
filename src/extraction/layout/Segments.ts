import type { Candidate } from "./Candidate.ts"
import type { LabelMatch } from "./LabelMatches.ts"
import { around, type Token } from "./PageModel.ts"
import type { Reading } from "./Reading.ts"
import { textOfWords } from "../../domain/LineText.ts"

/** How well a label of several words fits that does not begin and end a phrase. */
const leastOfWords = 0.8

/**
 * Whether a label is one by its looks: it ends with a colon, has a line of its own or several words. The word
 * "Lieferant" in the name "Lieferant GmbH" is none.
 */
export const standsAlone = (reading: Reading, { quality, span }: LabelMatch): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const [first, last] = [row[span.from], row[span.to]]
  const before = row[span.from - 1]
  const after = row[span.to + 1]
  // `Sprzedawca / Seller`: a label in two languages.
  const begins = before?.phrase !== first?.phrase || before?.text === "/"
  const whole = begins && (after?.phrase !== last?.phrase || after?.text === "/")
  // `Supply Co.` inside `Tri-Rivers Supply Co., Inc.` is hardly a label.
  const isOfWords = span.to > span.from && quality >= leastOfWords
  return whole || isOfWords || /[:：]$/u.test(last?.text ?? "")
}

const separator = /^[•·|●▪–—*/-]$/u

/** The row's tokens as runs: a run ends at a wide gap, a label, or a bullet. */
const runs = (row: ReadonlyArray<Token>, isLabel: (token: number) => boolean): Array<[number, number]> => {
  const found: Array<[number, number]> = []
  let from = -1
  for (const [i, token] of row.entries()) {
    const stops = isLabel(i) || separator.test(token.text)
    const breaks = from >= 0 && token.phrase !== row[from]?.phrase
    if (from >= 0 && (stops || breaks)) {
      found.push([from, i - 1])
      from = -1
    }
    if (!stops && from < 0) from = i
  }
  if (from >= 0) found.push([from, row.length - 1])
  return found
}

const everywhere = new WeakMap<Reading, ReadonlyArray<Candidate<string>>>()

/** The runs of text that are not labels, on all pages or some: what a field of running text can be. */
export const segmentsOf = (
  reading: Reading,
  pages?: ReadonlySet<number>
): ReadonlyArray<Candidate<string>> => {
  if (pages !== undefined) return findSegments(reading, pages)
  const found = everywhere.get(reading) ?? findSegments(reading)
  everywhere.set(reading, found)
  return found
}

const findSegments = (reading: Reading, pages?: ReadonlySet<number>): Array<Candidate<string>> => {
  const labels = Map.groupBy(
    reading.labels.filter((match) => standsAlone(reading, match)),
    ({ span }) => `${span.page}:${span.row}`
  )
  return reading.pages.flatMap((page, pageIndex) =>
    pages !== undefined && !pages.has(pageIndex)
      ? []
      : page.rows.flatMap((row, rowIndex) => {
          const here = labels.get(`${pageIndex}:${rowIndex}`) ?? []
          const isLabel = (token: number) => here.some(({ span }) => span.from <= token && token <= span.to)
          return runs(row, isLabel).flatMap(([from, to]): Array<Candidate<string>> => {
            const tokens = row.slice(from, to + 1)
            const text = textOfWords(tokens)
            const value = text.replace(/^[\s:,;.–-]+|[\s:,;–-]+$/gu, "")
            if (value === "") return []
            return [
              {
                span: { page: pageIndex, row: rowIndex, from, to },
                bbox: around(tokens),
                text,
                value,
                quality: 0.9
              }
            ]
          })
        })
  )
}
