import { mergeReadings } from "./MergeReadings.ts"
import type { OcrWord } from "./Ocr.ts"

type Words = ReadonlyArray<OcrWord>

/** Two readings of a line. */
interface TwoReadings {
  readonly paddle: Words
  readonly tesseract: Words
}

const amount = /^\d[\d.,']*[.,]\d{2}$/u
/** The sign at the beginning or at the end of what Tesseract read, whatever it took the digits next to it for. */
const signBefore = /^[€£]/u
const signAfter = /[€£]$/u
/** Lines that must have the same sign: on a single one, it may be a stain. */
const leastLines = 2

/** The sign that Tesseract sees at one side of an amount, where PP-OCR has no word. */
const signAt = (
  { bbox: near }: OcrWord,
  { paddle, tesseract }: TwoReadings,
  before: boolean
): OcrWord | undefined => {
  for (const { bbox, confidence, text } of tesseract) {
    const sign = (before ? signBefore : signAfter).exec(text)?.[0]
    if (sign === undefined) continue
    const [from, to] = before
      ? [bbox.x, Math.min(bbox.x + bbox.w, near.x)]
      : [Math.max(bbox.x, near.x + near.w), bbox.x + bbox.w]
    const distance = before ? near.x - to : from - near.x - near.w
    const isFree = paddle.every((word) => word.bbox.x >= to || word.bbox.x + word.bbox.w <= from)
    if (to - from < 0.3 * near.h || distance > 1.5 * near.h || !isFree) continue
    return { text: sign, confidence, bbox: { x: from, y: near.y, w: to - from, h: near.h } }
  }
  return undefined
}

/** The first sign of a line that Tesseract sees next to an amount of PP-OCR. */
const signOf = (line: TwoReadings): OcrWord | undefined => {
  for (const word of line.paddle) {
    const sign = amount.test(word.text) ? (signAt(word, line, true) ?? signAt(word, line, false)) : undefined
    if (sign !== undefined) return sign
  }
  return undefined
}

/**
 * Currency signs of a worn page, for each of its lines: PP-OCR does not know them, and Tesseract, which reads them, may be unsure of
 * each. If it sees the same one next to several amounts, where PP-OCR leaves a gap, it is on the page.
 */
const doubtedSigns = (lines: ReadonlyArray<TwoReadings>): ReadonlyArray<OcrWord | undefined> => {
  const found = lines.map(signOf)
  const countOf = (text: string): number => found.filter((sign) => sign?.text === text).length
  return found.map((sign) => (sign !== undefined && countOf(sign.text) >= leastLines ? sign : undefined))
}

const hasSign = (words: Words): boolean => words.some(({ text }) => /[€£]/u.test(text))

/** Merges the two readings of each line of a worn page. */
export const mergeLines = (lines: ReadonlyArray<TwoReadings>): Words => {
  const signs = doubtedSigns(lines)
  return lines.flatMap(({ paddle, tesseract }, i) => {
    const [words, sign] = [mergeReadings(paddle, tesseract), signs[i]]
    if (sign === undefined || hasSign(words)) return words
    return words.concat(sign).toSorted((a, b) => a.bbox.x - b.bbox.x)
  })
}
