import { Effect } from "effect"
import { dataFolder, missingLanguage } from "./LanguageData.ts"
import type { OcrImage, OcrWord } from "./Ocr.ts"
import { languageOf } from "./PageLanguage.ts"
import type { GrayImage } from "./paddle/GrayImage.ts"
import { fromStrip } from "./paddle/LineStrip.ts"
import type { LinesOfPicture } from "./paddle/PaddleLines.ts"
import { withTimesSigns } from "./paddle/TimesSign.ts"
import type { TesseractThreads } from "./TesseractJs.ts"

export type Words = ReadonlyArray<OcrWord>

/** The name of the two engines together. */
export const bothEngines = "paddle+tesseract-js"

const textOf = (words: Words): string => words.map(({ text }) => text).join(" ")

/** The words of a line, with `×` where it is printed, which Tesseract does not know. Letters share their word evenly. */
const signsSeen = (strip: GrayImage, words: Words): Words => {
  const characters = words.flatMap(({ bbox, text }, word) =>
    [...(word === 0 ? text : ` ${text}`)].map((letter, i) => {
      const at = word === 0 ? i : i - 1
      return { word, text: letter, at: bbox.x + (bbox.w * (at + 0.5)) / [...text].length }
    })
  )
  const signs = withTimesSigns(strip, characters)
  return words.map((read, word) => {
    const text = signs.filter((sign, i) => characters[i]?.word === word && sign !== " ").join("")
    return text === read.text ? read : { ...read, text }
  })
}

/** Reads lines of a picture with Tesseract, no line twice in a language. */
export const tesseractOn = (lines: LinesOfPicture, threads: TesseractThreads, { dpi }: OcrImage) => {
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
      const strip = strips[i]
      const words = strip === undefined ? [] : signsSeen(strip, read[i] ?? [])
      readings.set(
        line,
        words.map(({ bbox, confidence, text }) => ({ text, confidence, bbox: fromStrip(box, bbox) }))
      )
    }
    return readings
  })
}

/** The language of a page, the one to read it in, and a warning if its data is missing. */
export const chooseLanguage = (
  texts: ReadonlyArray<string>,
  languages: ReadonlyArray<string> | undefined
) => {
  const found = languageOf(texts, languages)
  if (dataFolder(found) !== undefined) return { language: found }
  return { language: languages?.[0] ?? "eng", warning: missingLanguage(found) }
}

/** A page that is read by lines. */
export interface Reading {
  readonly lines: LinesOfPicture
  readonly tesseract: ReturnType<typeof tesseractOn>
  readonly languages: ReadonlyArray<string> | undefined
}

/** All lines of a page. */
export const allOf = ({ boxes }: LinesOfPicture): ReadonlyArray<number> => boxes.map((_, line) => line)
/** The text of each line. */
export const textsOf = (readings: Iterable<Words>): ReadonlyArray<string> => Array.from(readings, textOf)
