import type { Ruling } from "../FormatReader.ts"
import type { Pdfium } from "./Pdfium.ts"

/** PDFium's numbers for kinds of page objects and of path segments. */
const [pathObject, formObject] = [2, 5]
const [lineTo, moveTo] = [0, 2]

/** Maps and plans have hundreds of thousands of lines, and no tables. */
const mostObjects = 20_000
const mostSegments = 60_000
/** Thinner than this, a filled box is a line. */
const thin = 3.5

type Matrix = readonly [number, number, number, number, number, number]
const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** First `inner`, then `outer`. */
const times = (inner: Matrix, outer: Matrix): Matrix => [
  inner[0] * outer[0] + inner[1] * outer[2],
  inner[0] * outer[1] + inner[1] * outer[3],
  inner[2] * outer[0] + inner[3] * outer[2],
  inner[2] * outer[1] + inner[3] * outer[3],
  inner[4] * outer[0] + inner[5] * outer[2] + outer[4],
  inner[4] * outer[1] + inner[5] * outer[3] + outer[5]
]

interface Point {
  readonly x: number
  readonly y: number
}

/** From the page's own coordinates to the page as displayed. */
export type ToDisplay = (x: number, y: number) => Point

class RulingReader {
  readonly rulings: Array<Ruling> = []
  readonly #pdfium: Pdfium
  readonly #toDisplay: ToDisplay
  readonly #scratch: number
  #objects = 0
  #segments = 0

  constructor(pdfium: Pdfium, toDisplay: ToDisplay, scratch: number) {
    this.#pdfium = pdfium
    this.#toDisplay = toDisplay
    this.#scratch = scratch
  }

  object(object: number, outer: Matrix, depth: number): void {
    if (++this.#objects > mostObjects || this.#segments > mostSegments) return
    const { api, hot } = this.#pdfium
    const type = hot.FPDFPageObj_GetType(object)
    if (type === pathObject) this.#path(object, times(this.#matrixOf(object), outer))
    else if (type === formObject && depth < 8) {
      const matrix = times(this.#matrixOf(object), outer)
      const count = Math.min(mostObjects, api.FPDFFormObj_CountObjects(object))
      for (let i = 0; i < count; i++) this.object(hot.FPDFFormObj_GetObject(object, i), matrix, depth + 1)
    }
  }

  #float(index: number): number {
    return this.#pdfium.heaps.HEAPF32[(this.#scratch >> 2) + index] ?? 0
  }

  #byte(index: number): number {
    return this.#pdfium.heaps.HEAPU8[this.#scratch + index] ?? 0
  }

  #matrixOf(object: number): Matrix {
    if (this.#pdfium.hot.FPDFPageObj_GetMatrix(object, this.#scratch) === 0) return identity
    const f = (i: number) => this.#float(i)
    return [f(0), f(1), f(2), f(3), f(4), f(5)]
  }

  /** Whether any part of a path is visible: white boxes are backgrounds. */
  #shows(path: number): boolean {
    const { hot } = this.#pdfium
    const at = this.#scratch
    if (hot.FPDFPath_GetDrawMode(path, at, at + 4) === 0) return false
    const [filled, stroked] = [this.#byte(0) !== 0, this.#byte(4) !== 0]
    if (stroked) return true
    if (!filled || hot.FPDFPageObj_GetFillColor(path, at, at + 4, at + 8, at + 12) === 0) return filled
    const white = [0, 4, 8].every((i) => this.#byte(i) > 250)
    return !white && this.#byte(12) > 8
  }

  #path(path: number, matrix: Matrix): void {
    const { hot } = this.#pdfium
    const count = hot.FPDFPath_CountSegments(path)
    if (count < 2 || count > 2000 || !this.#shows(path)) return
    this.#segments += count
    let points: Array<Point> = []
    for (let i = 0; i < count; i++) {
      const segment = hot.FPDFPath_GetPathSegment(path, i)
      const type = hot.FPDFPathSegment_GetType(segment)
      // Curves are not rulings; a new line begins after one.
      if (type !== lineTo) {
        this.#polygon(points)
        points = []
      }
      if (type !== lineTo && type !== moveTo) continue
      if (hot.FPDFPathSegment_GetPoint(segment, this.#scratch, this.#scratch + 4) === 0) continue
      const [x, y] = [this.#float(0), this.#float(1)]
      points.push(
        this.#toDisplay(matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
      )
      const first = points[0]
      if (first !== undefined && hot.FPDFPathSegment_GetClose(segment) !== 0) points.push(first)
    }
    this.#polygon(points)
  }

  /** A thin box is one line along its middle; any other shape contributes each side that is parallel to an axis. */
  #polygon(points: ReadonlyArray<Point>): void {
    if (points.length < 2) return
    const xs = points.map(({ x }) => x)
    const ys = points.map(({ y }) => y)
    const [left, right] = [Math.min(...xs), Math.max(...xs)]
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
    const [w, h] = [right - left, bottom - top]
    if (h <= thin && w > thin) this.#add("horizontal", (top + bottom) / 2, left, right)
    else if (w <= thin && h > thin) this.#add("vertical", (left + right) / 2, top, bottom)
    else if (w > thin && h > thin) {
      for (const [i, to] of points.entries()) {
        const from = points[i - 1]
        if (from === undefined) continue
        if (Math.abs(from.y - to.y) < 0.7) this.#add("horizontal", to.y, from.x, to.x)
        else if (Math.abs(from.x - to.x) < 0.7) this.#add("vertical", to.x, from.y, to.y)
      }
    }
  }

  #add(axis: Ruling["axis"], at: number, from: number, to: number): void {
    if (Math.abs(to - from) > 2) {
      this.rulings.push({ axis, at, from: Math.min(from, to), to: Math.max(from, to) })
    }
  }
}

/** The horizontal and vertical lines that are drawn on a page, as displayed; `scratch` is 32 bytes to work in. */
export const readRulings = (
  pdfium: Pdfium,
  page: number,
  toDisplay: ToDisplay,
  scratch: number
): ReadonlyArray<Ruling> => {
  const reader = new RulingReader(pdfium, toDisplay, scratch)
  const count = Math.min(mostObjects, pdfium.api.FPDFPage_CountObjects(page))
  for (let i = 0; i < count; i++) {
    reader.object(pdfium.hot.FPDFPage_GetObject(page, i), identity, 0)
  }
  return reader.rulings
}
