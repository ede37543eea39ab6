import { Effect } from "effect"
import { dataFolder } from "./LanguageData.ts"
import { allOf, bothEngines, type Reading, type Words } from "./LineReadings.ts"
import { confidenceOf } from "./MergeReadings.ts"
import type { OcrWord } from "./Ocr.ts"
import { tellingLines } from "./PageScript.ts"

/** Tesseract's name of the language. */
const japanese = "jpn"

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const han = /\p{Script=Han}/gu
const letter = /\p{L}/gu
/** Signs that are as wide as they are high. */
const square = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー〒※、。・]/gu

/** The share of letters in Chinese characters from which a page may be Japanese: PP-OCR reads these, but no kana. */
const leastHan = 0.3
/** The share of kana in what Tesseract is sure of: it reads some where a page is Chinese. */
const leastKana = 0.1
const sure = 0.8
/** So many lines show it: an address or a name may be without kana. */
const sampled = 8
/** Tesseract's reading of a word counts if it is as sure as this, or surer than PP-OCR's. */
const believable = 0.5

const countIn = (words: Words, sign: RegExp): number =>
  words.reduce((sum, { text }) => sum + (text.match(sign)?.length ?? 0), 0)

const shareOf = (words: Words, sign: RegExp): number =>
  countIn(words, sign) / Math.max(1, countIn(words, letter))

const overlaps = (a: OcrWord, b: OcrWord): boolean => {
  const shared = Math.min(a.bbox.x + a.bbox.w, b.bbox.x + b.bbox.w) - Math.max(a.bbox.x, b.bbox.x)
  return shared > 0.3 * Math.min(a.bbox.w, b.bbox.w)
}

const squaresIn = (text: string): number => text.match(square)?.length ?? 0
/** The width of a word by its signs: digits and Latin letters are about half as wide. */
const widthOf = (text: string): number => 0.45 * squaresIn(text) + 0.55 * text.length

const amount = /^(\D*?)([¥￥]?-?\d{1,3}(?:[,.]\d{3})+)\D*$/u

/** The amount in a word of PP-OCR with letters, with its share of the box: `￥946,000` of `￥946,000月`. */
const amountIn = (word: OcrWord): OcrWord | undefined => {
  const [, before = "", text] = amount.exec(word.text) ?? []
  if (text === undefined) return undefined
  const step = word.bbox.w / widthOf(word.text)
  const x = word.bbox.x + step * widthOf(before)
  return { ...word, text, bbox: { ...word.bbox, x, w: step * widthOf(text) } }
}

/** What PP-OCR reads better: numbers, and words of which Tesseract makes no sense. */
const keptOf = (word: OcrWord, tesseract: Words): OcrWord | undefined => {
  if (word.confidence < sure) return undefined
  if (!/\p{L}/u.test(word.text)) return /\d/u.test(word.text) ? word : undefined
  const here = tesseract.filter((other) => overlaps(word, other))
  const confidence = confidenceOf(here)
  const isBetter = confidence < believable && confidence < word.confidence
  return amountIn(word) ?? (isBetter ? word : undefined)
}

const middleOf = ({ bbox }: OcrWord): number => bbox.x + bbox.w / 2

/** How far the middles of two neighbours are apart, for each sign. */
const pitchOf = (left: OcrWord, right: OcrWord): number =>
  (middleOf(right) - middleOf(left)) / ((widthOf(left.text) + widthOf(right.text)) / 2)

/** What is between two neighbours whose signs have a width: boxes of single signs are much too narrow. */
const gapOf = (left: OcrWord, right: OcrWord, width: number): number => {
  const end = Math.max(left.bbox.x + left.bbox.w, middleOf(left) + (width * widthOf(left.text)) / 2)
  return Math.min(right.bbox.x, middleOf(right) - (width * widthOf(right.text)) / 2) - end
}

const medianOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Neighbours with no more than this between them, in widths of a sign, are one word: Japanese has no spaces. */
const closeSigns = 0.8
const closeDigits = 1
/** A number or code of this length is the value of the label before it. */
const longCode = 4

const areOneWord = (left: OcrWord, right: OcrWord, width: number): boolean => {
  const squares = [left.text.slice(-1), right.text.slice(0, 1)].filter((sign) => squaresIn(sign) > 0).length
  if (squares === 0 || (squaresIn(right.text) === 0 && right.text.length >= longCode)) return false
  return gapOf(left, right, width) < width * (squares === 2 ? closeSigns : closeDigits)
}

const oneWord = (left: OcrWord, right: OcrWord): OcrWord => {
  const end = Math.max(left.bbox.x + left.bbox.w, right.bbox.x + right.bbox.w)
  const top = Math.min(left.bbox.y, right.bbox.y)
  const bottom = Math.max(left.bbox.y + left.bbox.h, right.bbox.y + right.bbox.h)
  return {
    text: left.text + right.text,
    confidence: confidenceOf([left, right]),
    bbox: { x: left.bbox.x, y: top, w: end - left.bbox.x, h: bottom - top }
  }
}

const era = /(?<=\P{N})(?=(?:令和|平成)\d)/u

/** `お支払期限・2025年9月30日`: a wide colon. */
const wideColon = /・(?=[\dA-Z])/u

/** `お支払期限令和8年3月31日`: a date by the years of an emperor is a word of its own. */
const withDatesApart = (joined: OcrWord): Words => {
  const word = { ...joined, text: joined.text.replace(wideColon, ":") }
  const [label = "", date] = word.text.split(era)
  if (date === undefined) return [word]
  const { h, w, x, y } = word.bbox
  const first = (w * widthOf(label)) / widthOf(word.text)
  return [
    { ...word, text: label, bbox: { x, y, w: first, h } },
    { ...word, text: date, bbox: { x: x + first, y, w: w - first, h } }
  ]
}

/** Words that Tesseract took apart at every few signs, as they are printed. */
const packed = (words: Words): Words => {
  const width = medianOf(
    words.slice(1).flatMap((word, i) => {
      const before = words[i]
      return before !== undefined && squaresIn(before.text + word.text) === (before.text + word.text).length
        ? [pitchOf(before, word)]
        : []
    })
  )
  const joined: Array<OcrWord> = []
  for (const [at, word] of words.entries()) {
    const [before, open] = [words[at - 1], joined.at(-1)]
    if (before !== undefined && open !== undefined && areOneWord(before, word, width || 0.7 * word.bbox.h))
      joined[joined.length - 1] = oneWord(open, word)
    else joined.push(word)
  }
  return joined.flatMap(withDatesApart)
}

/** A line of a Japanese page: Tesseract's words, with PP-OCR's numbers and what Tesseract makes no sense of. */
export const joinJapanese = (paddle: Words, tesseract: Words): Words => {
  const kept = paddle.flatMap((word) => keptOf(word, tesseract) ?? [])
  const others = tesseract.filter((word) => !kept.some((own) => overlaps(word, own)))
  return packed([...others, ...kept].toSorted((a, b) => a.bbox.x - b.bbox.x))
}

/** Whether a page that PP-OCR reads as Chinese may be Japanese. */
export const mayBeJapanese = (paddle: ReadonlyArray<Words>): boolean =>
  shareOf(paddle.flat(), han) >= leastHan

const showsKana = (readings: Iterable<Words>): boolean => {
  const words = [...readings].flat().filter(({ confidence }) => confidence >= sure)
  return shareOf(words, kana) >= leastKana
}

/** Reads a Japanese page, whose kana PP-OCR does not know; undefined for any other page, or without data. */
export const readJapanese = Effect.fnUntraced(function* (
  { languages, lines, tesseract }: Reading,
  paddle: ReadonlyArray<Words>
) {
  const mayRead = (languages?.includes(japanese) ?? true) && dataFolder(japanese) !== undefined
  if (!mayRead || !mayBeJapanese(paddle)) return undefined
  const sample = yield* tesseract(tellingLines(paddle, sampled), japanese)
  if (!showsKana(sample.values())) return undefined
  const readings = yield* tesseract(allOf(lines), japanese)
  const words = paddle.flatMap((read, line) => joinJapanese(read, readings.get(line) ?? []))
  return { words, engine: bothEngines, languages: [japanese] }
})
