import type { OcrWord } from "../../providers/ocr/Ocr.ts"

/** A border between two words, or between a figure and what is next to it: `46|km`, `64 200,00|21%`, `|9,90`. */
const inside = /(?<=[\p{L}\p{N}%.)])[|¦]+(?=[\p{L}\p{N}(])|^[|¦]+(?=\d)|(?<=[\p{L}\p{N}%.)])[|¦]+$/u
/** A border at the end or the beginning of a figure: `95.00]`, `[12`. */
const bracketAtEnd = /^(?=.*\d)([^\p{L}[\]()]+)[\]}]$/u
const bracketAtStart = /^[[{](?=.*\d)([^\p{L}[\]()]+)$/u

/** The part of a word from one letter to another, with its share of the box. */
const partOf = (word: OcrWord, from: number, to: number): OcrWord => {
  const { x, y, w, h } = word.bbox
  const step = w / word.text.length
  return {
    ...word,
    text: word.text.slice(from, to),
    bbox: { x: x + from * step, y, w: (to - from) * step, h }
  }
}

/**
 * Words without the borders of table cells, which are recognised as bars and brackets and join what they part. Boxes of
 * parts are shared out by letters. Brackets in pairs, and bars among spaces, stay.
 */
export const withoutCellBorders = (word: OcrWord): ReadonlyArray<OcrWord> => {
  const { text } = word
  const border = inside.exec(text)
  if (border !== null) {
    const end = border.index + border[0].length
    const before = border.index === 0 ? [] : [partOf(word, 0, border.index)]
    return [...before, ...(end === text.length ? [] : withoutCellBorders(partOf(word, end, text.length)))]
  }
  if (bracketAtEnd.test(text)) return [partOf(word, 0, text.length - 1)]
  return bracketAtStart.test(text) ? [partOf(word, 1, text.length)] : [word]
}
