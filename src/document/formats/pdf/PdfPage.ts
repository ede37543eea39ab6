import type { RawPage, RawWord } from "../FormatReader.ts"
import type { Pdfium } from "./Pdfium.ts"
import { readRulings } from "./PdfRulings.ts"
import { PdfWords } from "./PdfWords.ts"

/** Scripts that draw the vowels and tones of a syllable as glyphs of their own: Devanagari to Myanmar, and Khmer. */
const isStacked = (code: number): boolean =>
  (code >= 0x0900 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)

/** PDFium's number for a string in a mark. */
const stringValue = 3

/** What a character is: one with a box of its own, one of a syllable, given again, or a space that may be none. */
type Part = "character" | "of a syllable" | "repeated" | "gap"

/**
 * Syllables of stacked scripts. A program that writes a PDF puts the glyphs of a syllable under one mark with its text
 * (`ActualText`). PDFium sorts the glyphs of a line by position and gives the whole text again wherever a glyph of
 * another syllable was sorted between them. It also shares out the box of the first glyph among the characters, so it
 * takes the others for gaps and inserts spaces.
 */
class PdfClusters {
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

/** Longer names are cut. */
const nameSize = 120

/** Bold by name, also in the names of TeX's fonts; the weights that PDFs state are often missing or wrong. */
const boldName = /bold|black|heavy|(?:^|\+)(?:CM|SF|EC)B[XS]?\d|-Demi/iu

/**
 * Tells whether a character of a text page is bold. Queries each font once; `scratch` has space for a name of 120
 * bytes.
 */
const boldCharacters = (
  { api, heaps, hot }: Pdfium,
  text: number,
  scratch: number
): ((character: number) => boolean) => {
  const known = new Map<number, boolean>()
  return (character) => {
    const object = hot.FPDFText_GetTextObject(text, character)
    const font = object === 0 ? 0 : hot.FPDFTextObj_GetFont(object)
    if (font === 0) return false
    const before = known.get(font)
    if (before !== undefined) return before
    const length = Math.min(nameSize, api.FPDFFont_GetBaseFontName(font, scratch, nameSize))
    const name = Buffer.from(heaps.HEAPU8.subarray(scratch, scratch + Math.max(0, length - 1))).toString(
      "latin1"
    )
    known.set(font, boldName.test(name))
    return boldName.test(name)
  }
}

/** The visible rectangle of a page in its own coordinates, and how it is turned when displayed. */
interface Frame {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** Quarter turns clockwise. */
  readonly turns: number
}

/** Four floats that PDFium writes: left, top, right, bottom, with y upwards. */
interface Rect {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** From the page's own coordinates (y upwards) to the page as displayed (points from its top left). */
const toDisplay = (frame: Frame, box: Rect): { x: number; y: number; w: number; h: number } => {
  const left = Math.min(box.left, box.right)
  const right = Math.max(box.left, box.right)
  const low = Math.min(box.top, box.bottom)
  const high = Math.max(box.top, box.bottom)
  const across = right - left
  const up = high - low
  switch (frame.turns) {
    case 1:
      return { x: low - frame.bottom, y: left - frame.left, w: up, h: across }
    case 2:
      return { x: frame.right - right, y: low - frame.bottom, w: across, h: up }
    case 3:
      return { x: frame.top - high, y: frame.right - right, w: up, h: across }
    default:
      return { x: left - frame.left, y: frame.top - high, w: across, h: up }
  }
}

const readRect = ({ heaps }: Pdfium, pointer: number): Rect => {
  const at = pointer >> 2
  return {
    left: heaps.HEAPF32[at] ?? 0,
    top: heaps.HEAPF32[at + 1] ?? 0,
    right: heaps.HEAPF32[at + 2] ?? 0,
    bottom: heaps.HEAPF32[at + 3] ?? 0
  }
}

const frameOf = (pdfium: Pdfium, page: number, scratch: number): Frame => {
  const { api } = pdfium
  const turns = ((api.FPDFPage_GetRotation(page) % 4) + 4) % 4
  if (api.FPDF_GetPageBoundingBox(page, scratch)) return { ...readRect(pdfium, scratch), turns }
  const [width, height] = [api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page)]
  const [right, top] = turns % 2 === 0 ? [width, height] : [height, width]
  return { left: 0, bottom: 0, right, top, turns }
}

/** A character's angle in radians, and the page's turns, as one of four directions in the displayed page. */
const displayedTurn = (angle: number, turns: number): RawWord["turn"] => {
  // PDFium returns -1 if there is no angle, and counts clockwise.
  const own = angle < 0 ? 0 : Math.round(angle / (Math.PI / 2))
  const total = (turns + own) % 4
  return total === 1 ? 1 : total === 2 ? 2 : total === 3 ? 3 : 0
}

/** Whether any part of a box is on the displayed page: cropped content is invisible, and must not be read. */
const isOnPage = (box: { x: number; y: number; w: number; h: number }, width: number, height: number) =>
  box.x < width && box.y < height && box.x + box.w > 0 && box.y + box.h > 0

/** Fonts that state a line of more em are mistaken: scripts that stack marks need 2. */
const mostEm = 2.2

/** Gives characters of fonts with a mistaken height one of their size: theirs would reach into the lines around. */
const boxesWithinLines = ({ api, heaps, hot }: Pdfium, text: number, scratch: number) => {
  let last = 0
  let size = 0
  return (character: number, box: Rect): Rect => {
    const object = hot.FPDFText_GetTextObject(text, character)
    if (object !== last) {
      api.FPDFText_GetMatrix(text, character, scratch)
      const [b = 0, d = 0] = [heaps.HEAPF32[(scratch >> 2) + 1], heaps.HEAPF32[(scratch >> 2) + 3]]
      size =
        Math.abs(b) > 0.01 * Math.abs(d) ? Infinity : api.FPDFText_GetFontSize(text, character) * Math.abs(d)
      last = object
    }
    if (box.top - box.bottom <= mostEm * size) return box
    api.FPDFText_GetCharOrigin(text, character, scratch, scratch + 8)
    const baseline = heaps.HEAPF64[(scratch >> 3) + 1] ?? 0
    return { ...box, top: baseline + 0.8 * size, bottom: baseline - 0.2 * size }
  }
}

/** Joins the characters of a text page into words. */
const words = (pdfium: Pdfium, text: number, frame: Frame, scratch: number): Array<RawWord> => {
  const { api, hot } = pdfium
  const [across, up] = [frame.right - frame.left, frame.top - frame.bottom]
  const [width, height] = frame.turns % 2 === 0 ? [across, up] : [up, across]
  const count = Math.max(0, api.FPDFText_CountChars(text))
  const found = new PdfWords()
  const isBold = boldCharacters(pdfium, text, scratch)
  const clusters = new PdfClusters(pdfium, text)
  const withinLine = boxesWithinLines(pdfium, text, scratch)
  for (let i = 0; i < count; i++) {
    const code = hot.FPDFText_GetUnicode(text, i)
    const part = clusters.partOf(i, code)
    if (part === "gap") found.mayEnd()
    if (part === "gap" || part === "repeated") continue
    if (code === 0x0a || code === 0x0d) {
      found.lineEnds()
      continue
    }
    if (PdfWords.separates(code)) {
      found.end()
      continue
    }
    if (hot.FPDFText_GetLooseCharBox(text, i, scratch) === 0) continue
    const box = toDisplay(frame, withinLine(i, readRect(pdfium, scratch)))
    if (!isOnPage(box, width, height)) continue
    const style = () => ({
      turn: displayedTurn(hot.FPDFText_GetCharAngle(text, i), frame.turns),
      bold: isBold(i)
    })
    found.add(code, box, style, part === "of a syllable")
  }
  return found.done()
}

/** Reads one page (2–6 ms). Throws if PDFium cannot find or parse it. */
export const readPdfPage = (pdfium: Pdfium, document: number, index: number): RawPage => {
  const { api } = pdfium
  const page = api.FPDF_LoadPage(document, index)
  if (page === 0) throw new Error("The page is missing or damaged.")
  const scratch = pdfium.malloc(128)
  const text = api.FPDFText_LoadPage(page)
  try {
    const frame = frameOf(pdfium, page, scratch)
    const found = text === 0 ? [] : words(pdfium, text, frame, scratch)
    const toPoint = (x: number, y: number) => toDisplay(frame, { left: x, right: x, top: y, bottom: y })
    return {
      width: api.FPDF_GetPageWidthF(page),
      height: api.FPDF_GetPageHeightF(page),
      words: found,
      drawn: api.FPDFPage_CountObjects(page) > 0,
      rulings: found.length === 0 ? [] : readRulings(pdfium, page, toPoint, scratch)
    }
  } finally {
    if (text !== 0) api.FPDFText_ClosePage(text)
    pdfium.free(scratch)
    api.FPDF_ClosePage(page)
  }
}
