import { Effect } from "effect"
import { doubtedBy, hasDate, hasFigures, withDigitsOf } from "./Figures.ts"
import { readJapanese } from "./JapanesePage.ts"
import {
  allOf,
  bothEngines,
  chooseLanguage,
  type Reading,
  tesseractOn,
  textsOf,
  type Words
} from "./LineReadings.ts"
import { mergeLines } from "./MergeLines.ts"
import { chooseReading, mergeReadings } from "./MergeReadings.ts"
import type { Ocr } from "./Ocr.ts"
import type { PaddleLines } from "./paddle/PaddleLines.ts"
import type { TesseractThreads } from "./TesseractJs.ts"
import { dataFolder } from "./LanguageData.ts"
import {
  blankLines,
  isForeign,
  joinForeign,
  type Script,
  scripts,
  shareInScript,
  showsScript,
  tellingLines
} from "./PageScript.ts"

const hasAmount = (words: Words): boolean => words.some(({ text }) => /\d[.,]\d{2}$/u.test(text))

interface Tried {
  readonly script: Script
  /** The language in which the script was tried. */
  readonly language: string
  /** The share of letters in the script. */
  readonly share: number
}

const mayRead = (language: string, languages: ReadonlyArray<string> | undefined): boolean =>
  (languages?.includes(language) ?? true) && dataFolder(language) !== undefined

const widest = 4

/** The widest of some lines. */
const widestOf = ({ boxes }: Reading["lines"], some: ReadonlyArray<number>): ReadonlyArray<number> =>
  some.toSorted((a, b) => (boxes[b]?.w ?? 0) - (boxes[a]?.w ?? 0)).slice(0, widest)

/** The script of a page that PP-OCR doubts too, or of which it reads many lines not at all. */
const findScript = Effect.fnUntraced(function* (
  { languages, lines, tesseract }: Reading,
  paddle: ReadonlyArray<Words>
) {
  const blank = blankLines(paddle, lines.boxes)
  if (!isForeign(paddle) && blank.length === 0) return undefined
  const telling = blank.length > 0 ? widestOf(lines, blank) : tellingLines(paddle)
  const tried = yield* Effect.forEach(scripts, (script) => {
    const language = script.languages.find((name) => mayRead(name, languages))
    return language === undefined
      ? Effect.succeed([])
      : Effect.map(tesseract(telling, language), (readings): ReadonlyArray<Tried> => {
          return [{ script, language, share: shareInScript([...readings.values()].flat(), script) }]
        })
  })
  return tried
    .flat()
    .filter(({ share }) => showsScript(share))
    .toSorted((a, b) => b.share - a.share)[0]
})

/** Reads a page in another script than Latin, in the language of its words. */
const readForeign = Effect.fnUntraced(function* (
  { languages, lines, tesseract }: Reading,
  paddle: ReadonlyArray<Words>,
  { language: first, script }: Tried
) {
  const all = allOf(lines)
  const others = script.languages.filter((name) => name !== first && (languages?.includes(name) ?? true))
  const { language, ...rest } = chooseLanguage(textsOf((yield* tesseract(all, first)).values()), [
    first,
    ...others
  ])
  const readings = yield* tesseract(all, language)
  // The data of other scripts lacks signs of currencies.
  const amounts = mayRead("eng", languages) ? all.filter((line) => hasAmount(paddle[line] ?? [])) : []
  const signs = yield* tesseract(amounts, "eng")
  const words = paddle.flatMap((read, line) =>
    joinForeign(mergeReadings(read, signs.get(line) ?? []), readings.get(line) ?? [], script)
  )
  return {
    words,
    engine: bothEngines,
    languages: [language],
    mayBeTurned: script.isLikeTurned === true,
    ...rest
  }
})

/** Tesseract reads every fourth line first, and at least six, to assess the print quality. */
const everyLine = 4
const leastLines = 6
/** A page is worn if more than this share of its letters is in words that Tesseract doubts. */
const wornShare = 0.15
const doubtedWord = 0.8
/** On a clear page, PP-OCR also reads lines with a word of lower confidence, amounts or dates. */
const doubtedLine = 0.85

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

/** Joins two readings: Tesseract's reading of each line, with PP-OCR's digits, or PP-OCR's if Tesseract doubts the line. */
const joined = (readings: ReadonlyMap<number, Words>, second: ReadonlyMap<number, Words>): Words =>
  [...readings].flatMap(([line, reading]) => {
    const other = second.get(line)
    if (other === undefined) return reading
    return isDoubted(reading) ? chooseReading(other, reading) : withDigitsOf(reading, other)
  })

/**
 * Reads a page that Tesseract doubts: PP-OCR reads it, and Tesseract provides spellings with letters that PP-OCR does
 * not know. In the right language, Tesseract may find the page quite clear.
 */
const readWorn = Effect.fnUntraced(function* (reading: Reading, first: string) {
  const { languages, lines, tesseract } = reading
  const all = allOf(lines)
  const paddle = yield* lines.read(all)
  const japanese = yield* readJapanese(reading, paddle)
  if (japanese !== undefined) return japanese
  const foreign = yield* findScript(reading, paddle)
  if (foreign !== undefined) return yield* readForeign(reading, paddle, foreign)
  const { language, ...rest } = chooseLanguage(textsOf(paddle), languages)
  const dated = all.filter((line) => hasDate(paddle[line] ?? []))
  const readings = yield* tesseract(language === first ? dated : all, language)
  const words =
    language === first || isWorn(readings.values())
      ? mergeLines(
          paddle.map((read, line) => {
            const other = readings.get(line) ?? []
            return { paddle: doubtedBy(read, other), tesseract: other }
          })
        )
      : joined(readings, new Map(paddle.entries()))
  return { words, engine: bothEngines, languages: [language], ...rest }
})

/** Reads a clear page: Tesseract reads it, and PP-OCR the lines that Tesseract doubts and those with amounts and dates. */
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
  const again = all.filter((line) => {
    const words = readings.get(line) ?? []
    return isDoubted(words) || hasFigures(words)
  })
  const paddle = again.length === 0 ? [] : yield* lines.read(again)
  const words = joined(readings, new Map(again.map((line, i) => [line, paddle[i] ?? []])))
  return { words, engine: bothEngines, languages: [language], ...rest }
})

/**
 * Recognition by two engines: PP-OCR's detection finds the lines. The print quality decides which engine reads them:
 * Tesseract knows more alphabets and signs, PP-OCR copes with bad print. `languages`: those
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
        if (lines.boxes.length === 0) return { words: [], engine: bothEngines, languages: [] }
        const tesseract = tesseractOn(lines, threads, image)
        const reading: Reading = { lines, tesseract, languages }
        const sample = yield* tesseract(sampleOf(lines.boxes.length), first)
        return isWorn(sample.values()) ? yield* readWorn(reading, first) : yield* readClear(reading, sample)
      })
    )
  })
  return { enabled: true, atOnce: Math.min(paddle.atOnce, threads.atOnce), recognize }
}
