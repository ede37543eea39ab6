import type { OcrWord } from "../../providers/ocr/Ocr.ts"

/** A label and its value, between which recognition lost the space: `Dated:11-Oct-25`, `#:PB-2207`, `Fakturanr.23918744`. */
const labelEnd = /(?<=\p{L}[\p{L}.)]|#):(?=[\p{L}\p{N}])|(?<=\p{Ll}{4})\.(?=\d{3,}\P{L}?$)/u
/** A zero that begins a word of small letters, or is among them. */
const firstLetter = /(?<![\p{L}\p{N}])0(?=\p{Ll}{3})/gu
const innerLetter = /(?<=\p{L}\p{Ll})0(?=\p{Ll}{2})/gu
const october = /(?<![\p{L}\p{N}])0(?=ct(?:ober)?(?!\p{L})|kt(?:ober)?(?!\p{L}))/gu
/** Initials with points: `z 0.0.`, `d.o.0.`. */
const initials = /^(?=.*0)(?:[\p{Ll}0]\.){2,}[,;]?$/u

const spelled = (text: string): string =>
  initials.test(text)
    ? text.replaceAll("0", "o")
    : text.replace(october, "O").replace(firstLetter, "O").replace(innerLetter, "o")

/** Words as they are printed where recognition joins or misspells them in a way that no print does: labels with their values, zeros among letters. */
export const mendedWords = (word: OcrWord): ReadonlyArray<OcrWord> => {
  const text = spelled(word.text)
  const end = labelEnd.exec(text)
  if (end === null) return [text === word.text ? word : { ...word, text }]
  const { h, w, x, y } = word.bbox
  const first = (w * (end.index + 1)) / text.length
  return [
    { ...word, text: text.slice(0, end.index + 1), bbox: { x, y, w: first, h } },
    ...mendedWords({ ...word, text: text.slice(end.index + 1), bbox: { x: x + first, y, w: w - first, h } })
  ]
}
