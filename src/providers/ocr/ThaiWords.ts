import { confidenceOf } from "./MergeReadings.ts"
import type { OcrWord } from "./Ocr.ts"

type Words = ReadonlyArray<OcrWord>

const thai = /^\p{Script=Thai}+$/u
/** The vowel am, which Tesseract takes apart. */
const am = /\u0e4d\u0e32/gu

/** Between two phrases there is at least this part of the height of a line; Thai has no spaces between words. */
const leastSpace = 0.3

const joined = (left: OcrWord, right: OcrWord): OcrWord => {
  const end = Math.max(left.bbox.x + left.bbox.w, right.bbox.x + right.bbox.w)
  const top = Math.min(left.bbox.y, right.bbox.y)
  const bottom = Math.max(left.bbox.y + left.bbox.h, right.bbox.y + right.bbox.h)
  return {
    text: (left.text + right.text).replace(am, "\u0e33"),
    confidence: confidenceOf([left, right]),
    bbox: { x: left.bbox.x, y: top, w: end - left.bbox.x, h: bottom - top }
  }
}

/** The words of a line in Thai, whose letters and signs Tesseract takes apart, as they are printed. */
export const thaiWords = (words: Words): Words => {
  const packed: Array<OcrWord> = []
  for (const word of words) {
    const open = packed.at(-1)
    const isPart = open !== undefined && thai.test(open.text) && thai.test(word.text)
    if (isPart && word.bbox.x - (open.bbox.x + open.bbox.w) < leastSpace * word.bbox.h)
      packed[packed.length - 1] = joined(open, word)
    else packed.push(word)
  }
  return packed
}
