import { Effect } from "effect"
import { makeCombined } from "../../src/providers/ocr/CombinedOcr.ts"
import type { OcrImage, OcrWord } from "../../src/providers/ocr/Ocr.ts"
import type { PaddleLines } from "../../src/providers/ocr/paddle/PaddleLines.ts"
import type { TesseractThreads } from "../../src/providers/ocr/TesseractJs.ts"

/** The words of a line: ten pixels a character, from left to right. */
export const line = (text: string, confidence = 0.9): Array<OcrWord> =>
  [...text.matchAll(/\S+/gu)].map((match) => ({
    text: match[0],
    confidence,
    bbox: { x: 10 * match.index, y: 0, w: 10 * match[0].length, h: 20 }
  }))

/** The text of words, with a space between them. */
export const textOf = (words: ReadonlyArray<OcrWord>): string => words.map(({ text }) => text).join(" ")

/** A page whose lines PP-OCR reads as `paddle`, and Tesseract in a language as `tesseract` says; others make no sense. */
export const recognised = (
  paddle: ReadonlyArray<ReadonlyArray<OcrWord>>,
  tesseract: Readonly<Record<string, ReadonlyArray<ReadonlyArray<OcrWord>>>>
) => {
  const box = { cx: 200, cy: 10, w: 400, h: 20, ux: 1, uy: 0 }
  // The height of a strip says which line it is.
  const engine: PaddleLines = {
    atOnce: 1,
    ready: Effect.void,
    withLines: (_image, job) =>
      job({
        boxes: paddle.map(() => box),
        cut: (lines) =>
          Effect.succeed(lines.map((at) => ({ width: 1, height: 1, pixels: Uint8Array.of(at) }))),
        read: (lines) => Effect.succeed(lines.map((at) => paddle[at] ?? []))
      })
  }
  const threads: TesseractThreads = {
    atOnce: 1,
    read: (images, [language = ""]) =>
      Effect.succeed(
        images.map(({ pixels }) => {
          const words = tesseract[language]?.[pixels[0] ?? 0] ?? line("mnxav oouie rrn", 0.3)
          // Words of a strip are ten pixels from its border.
          return words.map(({ bbox, confidence, text }) => ({
            text,
            confidence,
            bbox: { ...bbox, x: bbox.x + 10 }
          }))
        })
      )
  }
  const image: OcrImage = { width: 400, height: 200, dpi: 200, pixels: new Uint8Array(0) }
  return makeCombined(engine, threads, undefined).recognize(image)
}
