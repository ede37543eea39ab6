import { Effect } from "effect"
import { dataFolder, missingLanguage } from "./LanguageData.ts"
import { mergeLines } from "./MergeLines.ts"
import { chooseReading } from "./MergeReadings.ts"
import type { Ocr, OcrImage, OcrWord } from "./Ocr.ts"
import { languageOf } from "./PageLanguage.ts"
import { fromStrip } from "./paddle/LineStrip.ts"
import type { LinesOfPicture, PaddleLines } from "./paddle/PaddleLines.ts"
import type { TesseractThreads } from "./TesseractJs.ts"

type Words = ReadonlyArray<OcrWord>

/** Tesseract reads every fourth line first, and at least six, to assess the print quality. */
const everyLine = 4
const leastLines = 6
/** A page is worn if more than this share of its letters is in words that Tesseract doubts. */
const wornShare = 0.15
const doubtedWord = 0.8
/** On a clear page, PP-OCR also reads lines with a word of lower confidence. */
const doubtedLine = 0.85

const engine = "paddle+tesseract-js"

const textOf = (words: Words): string => words.map(({ text }) => text).join(" ")

const isWorn = (lines: Iterable<Words>): boolean => {
  let [doubted, all] = [0, 0]
  for (const words of lines) {
    for (const { confidence, text } of words) {
      all += text.length
      if (confidence < doubtedWord) doubted += text.length
    }
  }
  return doubted > wornShare * all
}

const isDoubted = (words: Words): boolean =>
  words.length === 0 || words.some(({ confidence }) => confidence < doubtedLine)

/** A sample of lines from the whole page. */
const sampleOf = (count: number): ReadonlyArray<number> => {
  const step = Math.max(1, Math.min(everyLine, Math.floor(count / leastLines)))
  return Array.from({ length: count }, (_, line) => line).filter((line) => line % step === 0)
}

/** Reads lines of a picture with Tesseract, no line twice in a language. */
const tesseractOn = (lines: LinesOfPicture, threads: TesseractThreads, { dpi }: OcrImage) => {
  const known = new Map<string, Map<number, Words>>()
  return Effect.fnUntraced(function* (wanted: ReadonlyArray<number>, language: string) {
    const readings = known.get(language) ?? new Map<number, Words>()
    known.set(language, readings)
    const unread = wanted.filter((line) => !readings.has(line))
    const strips = unread.length === 0 ? [] : yield* lines.cut(unread)
    const images = strips.map(({ height, pixels, width }): OcrImage => ({
      width,
      height,
      pixels,
      dpi,
      layout: "line"
    }))
    const read = images.length === 0 ? [] : yield* threads.read(images, [language])
    for (const [i, line] of unread.entries()) {
      const box = lines.boxes[line]
      if (box === undefined) continue
      const words = read[i] ?? []
      readings.set(
        line,
        words.map(({ bbox, confidence, text }) => ({ text, confidence, bbox: fromStrip(box, bbox) }))
      )
    }
    return readings
  })
}

/** The language of a page, the one to read it in, and a warning if its data is missing. */
const chooseLanguage = (texts: ReadonlyArray<string>, languages: ReadonlyArray<string> | undefined) => {
  const found = languageOf(texts, languages)
  if (dataFolder(found) !== undefined) return { language: found }
  return { language: languages?.[0] ?? "eng", warning: missingLanguage(found) }
}

/** Joins two readings: Tesseract's reading of each line, or PP-OCR's if Tesseract doubts the line. */
const joined = (readings: ReadonlyMap<number, Words>, second: ReadonlyMap<number, Words>): Words =>
  [...readings].flatMap(([line, reading]) => {
    const other = second.get(line)
    return other === undefined || !isDoubted(reading) ? reading : chooseReading(other, reading)
  })

interface Reading {
  readonly lines: LinesOfPicture
  readonly tesseract: ReturnType<typeof tesseractOn>
  readonly languages: ReadonlyArray<string> | undefined
}

const allOf = ({ boxes }: LinesOfPicture): ReadonlyArray<number> => boxes.map((_, line) => line)
const textsOf = (readings: Iterable<Words>): ReadonlyArray<string> => Array.from(readings, textOf)

/**
 * Reads a page that Tesseract doubts: PP-OCR reads it, and Tesseract provides spellings with letters that PP-OCR does
 * not know. In the right language, Tesseract may find the page quite clear.
 */
const readWorn = Effect.fnUntraced(function* ({ languages, lines, tesseract }: Reading, first: string) {
  const all = allOf(lines)
  const paddle = yield* lines.read(all)
  const { language, ...rest } = chooseLanguage(textsOf(paddle), languages)
  const readings = yield* tesseract(language === first ? [] : all, language)
  const words =
    language === first || isWorn(readings.values())
      ? mergeLines(paddle.map((read, line) => ({ paddle: read, tesseract: readings.get(line) ?? [] })))
      : joined(readings, new Map(paddle.entries()))
  return { words, engine, languages: [language], ...rest }
})

/** Reads a clear page: Tesseract reads it, and PP-OCR the lines that Tesseract doubts. */
const readClear = Effect.fnUntraced(function* (
  { languages, lines, tesseract }: Reading,
  sample: ReadonlyMap<number, Words>
) {
  const all = allOf(lines)
  const likely = chooseLanguage(textsOf(sample.values()), languages)
  // All lines show the language better than a sample.
  const likelyReadings = yield* tesseract(all, likely.language)
  const { language, ...rest } = chooseLanguage(textsOf(likelyReadings.values()), languages)
  const readings = yield* tesseract(all, language)
  const doubted = all.filter((line) => isDoubted(readings.get(line) ?? []))
  const paddle = doubted.length === 0 ? [] : yield* lines.read(doubted)
  const words = joined(readings, new Map(doubted.map((line, i) => [line, paddle[i] ?? []])))
  return { words, engine, languages: [language], ...rest }
})

/**
 * Recognition by two engines: PP-OCR's detection finds the lines. The print quality decides which engine reads them:
 * Tesseract knows more alphabets and signs, PP-OCR copes with bad print; see docs/measurements.md. `languages`: those
 * to choose from, of which the first is tried first, all with data; `undefined`: all that have data.
 */
export const makeCombined = (
  paddle: PaddleLines,
  threads: TesseractThreads,
  languages: ReadonlyArray<string> | undefined
): Ocr["Service"] => {
  const first = languages?.[0] ?? "eng"
  const recognize: Ocr["Service"]["recognize"] = Effect.fn("CombinedOcr.recognize")(function* (image) {
    return yield* paddle.withLines(image, (lines) =>
      Effect.gen(function* () {
        if (lines.boxes.length === 0) return { words: [], engine, languages: [] }
        const tesseract = tesseractOn(lines, threads, image)
        const reading: Reading = { lines, tesseract, languages }
        const sample = yield* tesseract(sampleOf(lines.boxes.length), first)
        return isWorn(sample.values()) ? yield* readWorn(reading, first) : yield* readClear(reading, sample)
      })
    )
  })
  return { enabled: true, atOnce: Math.min(paddle.atOnce, threads.atOnce), recognize }
}
