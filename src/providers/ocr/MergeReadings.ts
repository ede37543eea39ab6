import type { OcrWord } from "./Ocr.ts"

type Words = ReadonlyArray<OcrWord>

/** A reading of Tesseract that may correct a spelling. */
const believable = 0.6
/** Where a whole line of PP-OCR has less, it is no text that it knows. */
const leastOfLine = 0.4

/** Signs that PP-OCR has no class for: it leaves them out or takes them for a letter. */
const loneSign = /^[€£¢]$/u
const withSigns = /^([€£¢]?)(.*?)([€£¢]?)$/u
const likeSign = /^[CcEefG]$/u

/** The confidence of a reading: of its words, by their letters; 0 of none. */
export const confidenceOf = (words: Words): number => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return words.reduce((sum, { confidence, text }) => sum + confidence * text.length, 0) / Math.max(1, letters)
}

/** What is left of a word once everything is gone that PP-OCR cannot say. */
const bare = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/ß/gu, "B")
    .replace(/[øØ]/gu, "o")
    .replace(/[łŁ]/gu, "l")
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, "")

const overlap = (a: OcrWord, b: OcrWord): number => {
  const shared = Math.min(a.bbox.x + a.bbox.w, b.bbox.x + b.bbox.w) - Math.max(a.bbox.x, b.bbox.x)
  return shared / Math.max(1, Math.min(a.bbox.w, b.bbox.w))
}

/** The spelling of a word where Tesseract says the same with letters or signs that PP-OCR does not know. */
const betterSpelling = (word: OcrWord, other: OcrWord): string | undefined => {
  if (other.confidence < believable || /^[\x20-\x7e]*$/u.test(other.text)) return undefined
  if (likeSign.test(word.text)) return loneSign.test(other.text) ? other.text : undefined
  const said = bare(word.text)
  if (said === "" || said !== bare(other.text)) return undefined
  const [, before = "", , after = ""] = withSigns.exec(other.text) ?? []
  // Digits and their points are PP-OCR's.
  return before + after === "" ? other.text : before + word.text + after
}

/**
 * One reading of a line from two: the words of PP-OCR, spelled as Tesseract spells them where both say the same word and
 * Tesseract has letters that PP-OCR does not know, and with the currency signs that only Tesseract found.
 */
export const mergeReadings = (paddle: Words, tesseract: Words): Words => {
  const words = paddle.map((word) => {
    const here = tesseract.filter((other) => overlap(word, other) > 0.5)
    const text = here.map((other) => betterSpelling(word, other)).find((better) => better !== undefined)
    return text === undefined ? word : Object.assign({}, word, { text })
  })
  const added = tesseract.filter(
    (other) =>
      loneSign.test(other.text) &&
      other.confidence >= believable &&
      words.every((word) => overlap(word, other) <= 0.5)
  )
  return [...words, ...added].toSorted((a, b) => a.bbox.x - b.bbox.x)
}

/** The reading of a line that Tesseract doubts: PP-OCR's, unless that is none. */
export const chooseReading = (paddle: Words, tesseract: Words): Words =>
  confidenceOf(paddle) < leastOfLine ? tesseract : mergeReadings(paddle, tesseract)
