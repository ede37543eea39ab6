import { hangulWords } from "./HangulWords.ts"
import type { OcrWord } from "./Ocr.ts"
import { thaiWords } from "./ThaiWords.ts"

type Words = ReadonlyArray<OcrWord>

/** A script, and the languages that use it, by Tesseract's names; the first one with data is tried on a page. */
export interface Script {
  readonly languages: ReadonlyArray<string>
  readonly letter: RegExp
  /** Whether Latin letters upside down look like its letters to Tesseract: their strokes have few forms of their own. */
  readonly isLikeTurned?: boolean
  /** Puts right what Tesseract does with the words of a line in the script. */
  readonly mended?: (words: Words) => Words
}

/** Scripts that neither PP-OCR nor the data of a language in Latin letters knows. */
export const scripts: ReadonlyArray<Script> = [
  { languages: ["ell"], letter: /\p{Script=Greek}/u },
  { languages: ["bul", "ukr", "rus", "srp", "mkd"], letter: /\p{Script=Cyrillic}/u },
  { languages: ["kor"], isLikeTurned: true, letter: /\p{Script=Hangul}/u, mended: hangulWords },
  { languages: ["ara"], isLikeTurned: true, letter: /\p{Script=Arabic}/u },
  { languages: ["heb"], isLikeTurned: true, letter: /\p{Script=Hebrew}/u },
  { languages: ["tha"], isLikeTurned: true, letter: /\p{Script=Thai}/u, mended: thaiWords },
  { languages: ["hin"], isLikeTurned: true, letter: /\p{Script=Devanagari}/u }
]

/** The median confidence of words below which a page may be in another script. */
const doubted = 0.8
/** Digits are recognised in any script, so only words with letters count; fewer of them say little. */
const leastLetters = 3
const leastWords = 5
/** A page is in a script if recognition in it finds at least this share of letters in words that it does not doubt. */
const leastShare = 0.6
/** Tesseract is not sure at all of some words that are right: the confidence of a word of several letters of the script. */
const doubtedWord = 0.5
/** The lines that show the script: those with most letters. */
const sampled = 4

const lettersOf = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0
const lettersIn = (words: Words): number => words.reduce((sum, { text }) => sum + lettersOf(text), 0)

/** Whether a page may be in a script that the engines which read it do not know: they doubt most of its words. */
export const isForeign = (lines: ReadonlyArray<Words>): boolean => {
  const sure = lines
    .flat()
    .filter(({ text }) => lettersOf(text) >= leastLetters)
    .map(({ confidence }) => confidence)
    .toSorted((a, b) => a - b)
  return sure.length >= leastWords && (sure[Math.floor(sure.length / 2)] ?? 1) < doubted
}

/** PP-OCR reads next to nothing in lines of a script whose letters are like none that it knows, such as Hangul. */
const leastBlank = 4
const leastBlankShare = 0.2
/** The share of the letters that fit into a line below which it is as good as not read, and how sure a word must be. */
const leastRead = 0.3
const sureWord = 0.6

/** Letters and digits are about half as wide as a line is high. */
const fitsInto = ({ h, w }: Size): number => (2 * w) / h

interface Size {
  readonly w: number
  readonly h: number
}

/** The lines of which an engine that does not know the script of a page reads next to nothing, if these are many. */
export const blankLines = (
  lines: ReadonlyArray<Words>,
  boxes: ReadonlyArray<Size>
): ReadonlyArray<number> => {
  const blank = lines.flatMap((words, line) => {
    const sure = words.filter(({ confidence }) => confidence >= sureWord)
    const read = sure.reduce((sum, { text }) => sum + text.length, 0)
    return read < leastRead * fitsInto(boxes[line] ?? { w: 0, h: 1 }) ? [line] : []
  })
  return blank.length >= Math.max(leastBlank, leastBlankShare * lines.length) ? blank : []
}

/** The lines with most letters, by their index. */
export const tellingLines = (lines: ReadonlyArray<Words>, count = sampled): ReadonlyArray<number> =>
  lines
    .map((words, line) => ({ line, letters: lettersIn(words) }))
    .toSorted((a, b) => b.letters - a.letters)
    .slice(0, count)
    .map(({ line }) => line)

/** The share of the letters of a reading that are of the script, in words that it does not doubt. */
export const shareInScript = (words: Words, { letter }: Script): number => {
  const sure = words.filter(({ confidence, text }) => confidence >= doubted && letter.test(text))
  return lettersIn(sure) / Math.max(1, lettersIn(words))
}

/** Whether such a share shows the script. */
export const showsScript = (share: number): boolean => share >= leastShare

const overlaps = (a: OcrWord, b: OcrWord): boolean => {
  const shared = Math.min(a.bbox.x + a.bbox.w, b.bbox.x + b.bbox.w) - Math.max(a.bbox.x, b.bbox.x)
  return shared > 0.3 * Math.min(a.bbox.w, b.bbox.w)
}

/** The numero sign, which the data of Cyrillic languages lacks, before a number. */
const numero = /^[Мм]е$/u
const hasDigit = /\d/u
/** Whether a word is a number or a code rather than a word of the script in look-alikes: `Pa30M` for `Разом`, `3a` for `за`. */
const isFigure = (text: string): boolean => (text.match(/\d/gu)?.length ?? 0) > lettersOf(text)

/** Units that are printed in Latin letters in any script, of which no letter of another script looks like all letters. */
const unit = /^(?:kg|g|ml|cl|dl|l|L|mm|cm|km|W|kW|kWh|V|MB|GB|TB)$/u
const number = /^\d[\d.,]*$/u
const measured = /^\d[\d.,]*(?:kg|g|ml|cl|dl|l|L|mm|cm|km|W|kW|kWh|V|MB|GB|TB)$/u
const sureUnit = 0.85

/** Whether a word is a unit behind a number, or both: `500 ml`, `5L`. */
const isMeasure = ({ confidence, text }: OcrWord, before: OcrWord | undefined): boolean =>
  confidence >= sureUnit && (measured.test(text) || (unit.test(text) && number.test(before?.text ?? "")))

const sign = /^[€£]$/u
/** Breathings and other accents of ancient Greek, which dust turns letters into. */
const ancient = /[\u0313\u0314\u0342\u0345]/gu

const modern = (text: string): string =>
  /\p{Script=Greek}/u.test(text)
    ? text.normalize("NFD").replace(ancient, "").normalize("NFC").replaceAll("µ", "μ")
    : text

/**
 * Joins two readings of a line of a page in another script: Tesseract's words, except for currency signs, units and words with
 * digits, which PP-OCR knows in any script.
 */
export const joinForeign = (paddle: Words, tesseract: Words, { letter, mended }: Script): Words => {
  const numbers = paddle.filter(
    (word, at) =>
      sign.test(word.text) ||
      isMeasure(word, paddle[at - 1]) ||
      (word.confidence >= doubted &&
        isFigure(word.text) &&
        tesseract.every(
          (other) =>
            !overlaps(word, other) ||
            !letter.test(other.text) ||
            other.confidence < Math.max(doubted, word.confidence)
        ))
  )
  const others = tesseract.filter((word) => !numbers.some((other) => overlaps(word, other)))
  const both = [...others, ...numbers].toSorted((a, b) => a.bbox.x - b.bbox.x)
  const joined = mended?.(both) ?? both
  return joined.map(({ bbox, confidence, text }, at) => {
    if (numero.test(text) && hasDigit.test(joined[at + 1]?.text ?? "")) return { bbox, confidence, text: "№" }
    const isWord = new Set(text.match(new RegExp(letter, "gu"))).size >= leastLetters
    return { bbox, confidence: isWord ? Math.max(doubtedWord, confidence) : confidence, text: modern(text) }
  })
}
