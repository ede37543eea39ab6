import { confidenceOf } from "./MergeReadings.ts"
import type { OcrWord } from "./Ocr.ts"

type Words = ReadonlyArray<OcrWord>

const syllables = /^\p{Script=Hangul}+$/u
/** The won sign, where Korean fonts and Tesseract have a backslash. */
const won = /^\\(?=\d)/u

/** Syllables are equally wide. Between two words there is at least this part of their width. */
const leastSpace = 0.15

/** A quarter of the values is below it: most neighbours that are far apart are two words. */
const lowerQuartileOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0

/** The distance between the beginnings of neighbours for each syllable of the left one; the boxes end anywhere. */
const pitches = (words: Words): ReadonlyArray<number> =>
  words.slice(1).flatMap((right, at) => {
    const left = words[at]
    const isPair = left !== undefined && syllables.test(left.text) && syllables.test(right.text)
    return isPair ? [(right.bbox.x - left.bbox.x) / left.text.length] : []
  })

const joined = (left: OcrWord, right: OcrWord, width: number): OcrWord => {
  const top = Math.min(left.bbox.y, right.bbox.y)
  const bottom = Math.max(left.bbox.y + left.bbox.h, right.bbox.y + right.bbox.h)
  const text = left.text + right.text
  return {
    text,
    confidence: confidenceOf([left, right]),
    bbox: { x: left.bbox.x, y: top, w: width * text.length, h: bottom - top }
  }
}

/** The words of a line in Korean, whose syllables Tesseract takes apart, as they are printed. */
export const hangulWords = (words: Words): Words => {
  const signed = words.map((word) => ({ ...word, text: word.text.replace(won, "₩") }))
  const width = lowerQuartileOf(pitches(signed))
  const packed: Array<OcrWord> = []
  for (const word of signed) {
    const open = packed.at(-1)
    const isOpen = open !== undefined && syllables.test(open.text) && syllables.test(word.text)
    const end = isOpen ? open.bbox.x + width * open.text.length : 0
    if (isOpen && word.bbox.x - end < leastSpace * width)
      packed[packed.length - 1] = joined(open, word, width)
    else packed.push(word)
  }
  return packed
}
