import type { OcrImage, OcrWord } from "./Ocr.ts"

/** Tesseract's page segmentation mode for a page with blocks of text, a single block, a single line. */
const modes = { page: "3", column: "6", line: "7" } as const

/** Tesseract's page segmentation mode for a picture. */
export const segmentation = ({ layout = "page" }: Pick<OcrImage, "layout">): string => modes[layout]

/** The level of words in Tesseract's TSV output. */
const wordLevel = "5"

/** Parses Tesseract's TSV output: one line per word, with its box in pixels and its confidence in percent. */
export const parseTsv = (tsv: string): Array<OcrWord> =>
  tsv.split("\n").flatMap((line): Array<OcrWord> => {
    const [level, , , , , , left, top, width, height, confidence, ...rest] = line.split("\t")
    const text = rest.join(" ").trim()
    if (level !== wordLevel || text === "") return []
    return [
      {
        text: text.replace(/\s+/gu, ""),
        bbox: { x: Number(left), y: Number(top), w: Number(width), h: Number(height) },
        confidence: Math.min(1, Math.max(0, Number(confidence) / 100))
      }
    ]
  })
