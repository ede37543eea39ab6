import type { OcrWord } from "./Ocr.ts"

type Words = ReadonlyArray<OcrWord>

const day = /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/u
/** The thousands of an amount without cents, and their next group. */
const grouped = /(?<![\d.,])\d{1,3} \d{3}(?!\d)/u
const percent = /^\d{1,2}(?:[.,]\d{1,2})?%$/u
const figure = /\d[.,]\d{2}(?!\d)|\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/u

/** Whether a line has a date. */
export const hasDate = (words: Words): boolean => words.some(({ text }) => day.test(text))

/** Whether a line has amounts or dates, which one wrong digit makes worthless. */
export const hasFigures = (words: Words): boolean =>
  words.some(({ text }) => figure.test(text)) || grouped.test(words.map(({ text }) => text).join(" "))

const most = 2

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}.,/:-]/gu, "")

/** Whether another reading of a word is the same but for one digit or two. What looks like no number at all says nothing. */
export const contradicts = (text: string, other: string): boolean => {
  const [own, its] = [plain(text), plain(other)]
  if (own.length !== its.length || own === its) return false
  const differing = Array.from(own, (sign, i) => /\d/u.test(sign) && sign !== its.charAt(i))
  const count = differing.filter(Boolean).length
  return count > 0 && count <= most
}

/** What another engine read in the place of a word. */
const inPlaceOf = ({ bbox }: OcrWord, others: Words): Words =>
  others.filter((other) => {
    const middle = other.bbox.x + other.bbox.w / 2
    return middle > bbox.x && middle < bbox.x + bbox.w
  })

const textOf = (words: Words): string => words.map(({ text }) => text).join("")

/** The readings of the other engine that contradict figures of a line, by word. */
export const contradictions = (words: Words, others: Words): ReadonlyMap<OcrWord, Words> =>
  new Map(
    words.flatMap((word) => {
      if (!figure.test(word.text)) return []
      const here = inPlaceOf(word, others)
      return contradicts(word.text, textOf(here)) ? [[word, here] as const] : []
    })
  )

/** `27%`, which Tesseract reads as `2796` or `279`, as PP-OCR reads it. */
const percentOf = ({ text }: OcrWord, here: Words): string | undefined => {
  const its = textOf(here)
  const [number] = its.split("%")
  return percent.test(its) && !text.includes("%") && /^(?:9|96|8|\$|&)$/u.test(text.replace(number ?? "", ""))
    ? its
    : undefined
}

const digitsIn = (text: string): number => text.replace(/\D/gu, "").length

const atEdges = /^([^\p{L}\p{N}]*).*?([^\p{L}\p{N}]*)$/su

/**
 * A line as Tesseract read it, with PP-OCR's digits where the two contradict each other: on clear receipts, all of 47 such figures are
 * as PP-OCR reads them, which knows zeros with a stroke or a dot.
 */
export const withDigitsOf = (tesseract: Words, paddle: Words): Words => {
  const found = contradictions(tesseract, paddle)
  return tesseract.map((word) => {
    const rate = percentOf(word, inPlaceOf(word, paddle))
    if (rate !== undefined) return { ...word, text: rate }
    const here = found.get(word)
    if (here === undefined || digitsIn(textOf(here)) < digitsIn(word.text)) return word
    const [, before = "", after = ""] = atEdges.exec(word.text) ?? []
    const confidence = Math.min(...here.map((other) => other.confidence))
    return { ...word, text: before + plain(textOf(here)) + after, confidence }
  })
}

/** On worn receipts, one in seven figures that Tesseract reads differently is wrong; of those that both read alike, one in 70. */
const disputed = 0.75

/** A line as PP-OCR read it, with doubts about figures that Tesseract reads differently. */
export const doubtedBy = (paddle: Words, tesseract: Words): Words => {
  const found = contradictions(paddle, tesseract)
  return paddle.map((word) =>
    found.has(word) ? { ...word, confidence: Math.min(disputed, word.confidence) } : word
  )
}
