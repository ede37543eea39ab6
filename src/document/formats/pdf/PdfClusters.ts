import type { Pdfium } from "./Pdfium.ts"

/** Scripts that draw the vowels and tones of a syllable as glyphs of their own: Devanagari to Myanmar, and Khmer. */
const isStacked = (code: number): boolean =>
  (code >= 0x0900 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)

/** PDFium's number for a string in a mark. */
const stringValue = 3

/** What a character is: one with a box of its own, one of a syllable, given again, or a space that may be none. */
export type Part = "character" | "of a syllable" | "repeated" | "gap"

/**
 * Syllables of stacked scripts. A program that writes a PDF puts the glyphs of a syllable under one mark with its text
 * (`ActualText`). PDFium sorts the glyphs of a line by position and gives the whole text again wherever a glyph of
 * another syllable was sorted between them. It also shares out the box of the first glyph among the characters, so it
 * takes the others for gaps and inserts spaces.
 */
export class PdfClusters {
  readonly #pdfium: Pdfium
  readonly #text: number
  readonly #seen = new Set<number>()
  readonly #hasText = new Map<number, boolean>()
  /** The mark of the previous character, 0 if it has none. */
  #mark = 0
  #wasStacked = false

  constructor(pdfium: Pdfium, text: number) {
    this.#pdfium = pdfium
    this.#text = text
  }

  /** What the character at `index` is; to be asked for all characters in their order. */
  partOf(index: number, code: number): Part {
    const { api } = this.#pdfium
    if (code === 0x20 && this.#wasStacked && api.FPDFText_IsGenerated(this.#text, index) === 1) return "gap"
    this.#wasStacked = isStacked(code)
    if (!this.#wasStacked) {
      this.#mark = 0
      return "character"
    }
    const mark = this.#markOf(index)
    const isRepeated = mark !== this.#mark && this.#seen.has(mark)
    this.#mark = isRepeated ? 0 : mark
    if (mark === 0) return "character"
    this.#seen.add(mark)
    return isRepeated ? "repeated" : "of a syllable"
  }

  /** The mark with the text of a character's syllable; 0 if there is none. */
  #markOf(index: number): number {
    const { api, hot } = this.#pdfium
    const object = hot.FPDFText_GetTextObject(this.#text, index)
    const count = object === 0 ? 0 : api.FPDFPageObj_CountMarks(object)
    if (count < 1) return 0
    const mark = api.FPDFPageObj_GetMark(object, count - 1)
    const known = this.#hasText.get(mark)
    const hasText = known ?? api.FPDFPageObjMark_GetParamValueType(mark, "ActualText") === stringValue
    if (known === undefined) this.#hasText.set(mark, hasText)
    return hasText ? mark : 0
  }
}
