import type { OcrWord } from "./Ocr.ts"

type Words = ReadonlyArray<OcrWord>

/** The confidence from which Tesseract's reading may correct a spelling. */
const believable = 0.6
/** A line in which PP-OCR's confidence is lower has an unknown script. */
const leastOfLine = 0.4

/** Signs without a class in PP-OCR, which it omits or takes for a letter. */
const loneSign = /^[€£¢]$/u
const withSigns = /^([€£¢]?)(.*?)([€£¢]?)$/u
const likeSign = /^[CcEefG]$/u

/** The confidence of a reading: the mean of its words, weighted by letters; 0 if there are none. */
export const confidenceOf = (words: Words): number => {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return words.reduce((sum, { confidence, text }) => sum + confidence * text.length, 0) / Math.max(1, letters)
}

/** A word without anything that PP-OCR cannot produce. */
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

const leastLetters = 3
const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0

/**
 * Whether two readings of a word differ only in letters that PP-OCR does not know, and takes for others, for digits or for a
 * question mark: `Goethestraße` for `Goethestrafe`, `első` for `els6`, `Fizetendő` for `Fizetend?`. Most letters must be the same.
 */
const isSpellingOf = (said: string, other: string): boolean => {
  const isWord = countOf(said, /\p{L}/gu) >= leastLetters
  const replaced = isWord ? /[\p{L}\d?]/u : /\p{L}/u
  const [a, b] = [said, other].map(
    (text) => text.normalize("NFC").match(isWord ? /[\p{L}\p{N}?]/gu : /[\p{L}\p{N}]/gu) ?? []
  )
  if (a === undefined || b === undefined || a.length !== b.length || a.length < leastLetters) return false
  const unknown = a.filter((letter, at) => bare(letter) !== bare(b[at] ?? ""))
  return (
    2 * unknown.length < a.length &&
    a.every((letter, at) => {
      const spelling = b[at] ?? ""
      return bare(letter) === bare(spelling) || (replaced.test(letter) && /[^\x20-\x7e]/u.test(spelling))
    })
  )
}

/** Tesseract's spelling of a word, if it is the same except for letters or signs that PP-OCR does not know. */
const betterSpelling = (word: OcrWord, other: OcrWord): string | undefined => {
  if (other.confidence < believable || /^[\x20-\x7e]*$/u.test(other.text)) return undefined
  if (likeSign.test(word.text)) return loneSign.test(other.text) ? other.text : undefined
  const said = bare(word.text)
  if (said === "" || (said !== bare(other.text) && !isSpellingOf(word.text, other.text))) return undefined
  const [, before = "", , after = ""] = withSigns.exec(other.text) ?? []
  // Digits and their points come from PP-OCR.
  return before + after === "" ? other.text : before + word.text + after
}

const litre = /^[|lI]$/u

/** `5 l`, which PP-OCR reads as `51` and Tesseract as `5 |`. */
const asLitres = (word: OcrWord, here: Words, before: OcrWord | undefined): Words | undefined => {
  const [number, unit] = here.length === 1 ? [undefined, here[0]] : here
  if (!word.text.endsWith("1") || unit === undefined || here.length > 2 || !litre.test(unit.text))
    return undefined
  const printed = { ...unit, text: "l" }
  if (number === undefined)
    return word.text === "1" && /^\d+$/u.test(before?.text ?? "") ? [printed] : undefined
  return number.text === word.text.slice(0, -1) && /^\d+$/u.test(word.text)
    ? [{ ...word, text: number.text, bbox: number.bbox }, printed]
    : undefined
}

/**
 * Merges two readings of a line: PP-OCR's words, in Tesseract's spelling if both agree except for letters that PP-OCR
 * does not know, plus currency signs that only Tesseract found.
 */
export const mergeReadings = (paddle: Words, tesseract: Words): Words => {
  const words = paddle.flatMap((word, at): Words => {
    const here = tesseract.filter((other) => overlap(word, other) > 0.5)
    const text = here.map((other) => betterSpelling(word, other)).find((better) => better !== undefined)
    if (text !== undefined) return [Object.assign({}, word, { text })]
    return asLitres(word, here, paddle[at - 1]) ?? [word]
  })
  const added = tesseract.filter(
    (other) =>
      loneSign.test(other.text) &&
      other.confidence >= believable &&
      words.every((word) => overlap(word, other) <= 0.5)
  )
  return [...words, ...added].toSorted((a, b) => a.bbox.x - b.bbox.x)
}

/** Chooses the reading of a line that Tesseract doubts: PP-OCR's, unless that is empty. */
export const chooseReading = (paddle: Words, tesseract: Words): Words =>
  confidenceOf(paddle) < leastOfLine ? tesseract : mergeReadings(paddle, tesseract)
