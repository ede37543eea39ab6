import type { DocumentIR, Word } from "../../../src/domain/DocumentIR.ts"

const size = 10
const letter = 5.5

/** Text that begins at `x`, on the line whose top is at `y`, in points. */
export interface PlacedText {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** Lines from `top` on, `apart` from each other: the texts of each by the x they begin at. */
export const linesOf = (
  top: number,
  apart: number,
  lines: ReadonlyArray<Readonly<Record<number, string>>>
): ReadonlyArray<PlacedText> =>
  lines.flatMap((line, i) =>
    Object.entries(line).map(([x, text]) => ({ x: Number(x), y: top + i * apart, text }))
  )

const wordsOf = ({ text, x, y }: PlacedText, confidence: number | undefined): ReadonlyArray<Word> =>
  [...text.matchAll(/\S+/gu)].map((match): Word => {
    const bbox = { x: x + match.index * letter, y, w: match[0].length * letter, h: size }
    return confidence === undefined ? { text: match[0], bbox } : { text: match[0], bbox, confidence }
  })

/**
 * A page with texts at given places, in letters 5.5 points wide and 10 high; with `confidence`, the one with which they were
 * recognized.
 */
export const placedPage = (texts: ReadonlyArray<PlacedText>, confidence?: number): DocumentIR => ({
  extras: { pageCount: 1 },
  pages: [
    {
      pageNumber: 1,
      width: 595,
      height: 842,
      lines: texts.map((placed, i) => ({
        lineId: `p1_l${i + 1}`,
        text: placed.text,
        bbox: { x: placed.x, y: placed.y, w: placed.text.length * letter, h: size },
        startChar: 0,
        endChar: placed.text.length,
        words: wordsOf(placed, confidence)
      }))
    }
  ]
})
