import type { Box, DocumentIR, Word } from "../../src/domain/DocumentIR.ts"

/** How a string is set: its size in points, and which edge of it `x` is. */
export interface Setting {
  readonly size?: number
  readonly align?: "left" | "right" | "center"
}

const widths: ReadonlyArray<readonly [RegExp, number]> = [
  [/[iljtfI.,:;|'’! ()[\]-]/u, 0.3],
  [/[mwMW%@]/u, 0.86],
  [/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u, 1],
  [/\p{Lu}/u, 0.68],
  [/\p{N}/u, 0.556]
]

const widthOfLetter = (letter: string): number =>
  widths.find(([pattern]) => pattern.test(letter))?.[1] ?? 0.51

/** The width of a string in points, as a common font without serifs sets it. */
export const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + widthOfLetter(letter) * size, 0)

/** Letters that are written from right to left. */
const rightToLeft = /[\p{sc=Arab}\p{sc=Hebr}]/u

interface Run {
  readonly words: ReadonlyArray<Word>
  readonly bbox: Box
}

/**
 * Words of a line as they are seen: those of a script from right to left are turned round, numbers among them are not. Turned
 * twice, they are in the order in which they are read.
 */
const seen = <A extends { readonly text: string }>(words: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (!words.some(({ text }) => rightToLeft.test(text))) return words
  const turned: Array<A> = []
  let numbers: Array<A> = []
  for (const word of words) {
    if (rightToLeft.test(word.text)) {
      turned.unshift(...numbers)
      turned.unshift(word)
      numbers = []
    } else numbers.push(word)
  }
  return [...numbers, ...turned]
}

/** A page that texts are put on; the origin is its top left corner. */
export class Sheet {
  readonly width: number
  readonly height: number
  /** Whether the page is read from right to left: everything is put at the mirrored place. */
  readonly mirrored: boolean
  readonly #runs: Array<Run> = []

  constructor(width: number, height: number, mirrored: boolean) {
    this.width = width
    this.height = height
    this.mirrored = mirrored
  }

  /** Puts a string on the page; returns its width in points. */
  put(text: string, x: number, y: number, { align = "left", size = 10 }: Setting = {}): number {
    const parts = text.split(" ").filter((part) => part !== "")
    const space = widthOf(" ", size)
    const whole = parts.reduce((sum, part) => sum + widthOf(part, size) + space, -space)
    if (parts.length === 0) return 0
    const left = align === "left" ? x : align === "right" ? x - whole : x - whole / 2
    const from = this.mirrored ? this.width - left - whole : left
    let at = from
    const h = 1.19 * size
    const words = seen(parts.map((text) => ({ text }))).map(({ text }): Word => {
      const w = widthOf(text, size)
      const word = { text, bbox: { x: at, y, w, h } }
      at += w + space
      return word
    })
    this.#runs.push({ words: seen(words), bbox: { x: from, y, w: whole, h } })
    return whole
  }

  /** The page as a reader would give it. */
  document(): DocumentIR {
    return {
      extras: { pageCount: 1 },
      pages: [
        {
          pageNumber: 1,
          width: this.width,
          height: this.height,
          source: "text-layer",
          lines: this.#runs.map(({ bbox, words }, i) => {
            const text = words.map((word) => word.text).join(" ")
            return { lineId: `p1_l${i + 1}`, text, bbox, startChar: 0, endChar: text.length, words }
          })
        }
      ]
    }
  }
}
