import { assert, describe, it } from "@effect/vitest"
import { withoutVerticalRules } from "../../src/document/scan/VerticalRules.ts"

const [width, height] = [400, 400]
const paper = 250

/** A grey picture with strokes: their left edge, top, width and height, and how far they lean over their height. */
const pictureOf = (
  strokes: ReadonlyArray<readonly [x: number, y: number, w: number, h: number, lean?: number]>
) => {
  const pixels = new Uint8Array(width * height).fill(paper)
  for (const [x, y, w, h, lean = 0] of strokes) {
    for (let i = 0; i < h; i++) {
      const from = (y + i) * width + x + Math.round((lean * i) / h)
      pixels.fill(120, from, from + w)
    }
  }
  return { width, height, dpi: 200, pixels }
}

const darkIn = (pixels: Uint8Array): number => pixels.filter((value) => value < paper - 40).length

/** The stems of a line of letters. */
const letters = Array.from({ length: 20 }, (_, i) => [20 + 15 * i, 60, 3, 18] as const)

describe("vertical rules of a scan", () => {
  it("are erased, also if the page leans, and letters stay", () => {
    const bordered = pictureOf([...letters, [10, 30, 2, 200, 4], [150, 30, 3, 200, 4], [350, 32, 2, 196, 4]])
    // What is left is less than a stem.
    assert.closeTo(darkIn(withoutVerticalRules(bordered).pixels), darkIn(pictureOf(letters).pixels), 20)
  })

  it("are not the stems of tall letters, whatever their size", () => {
    const title = Array.from({ length: 6 }, (_, i) => [20 + 40 * i, 100, 5, 80] as const)
    const picture = pictureOf(title)
    assert.deepStrictEqual(withoutVerticalRules(picture).pixels, picture.pixels)
  })

  it("are several: a stroke alone is none", () => {
    const picture = pictureOf([...letters, [10, 30, 2, 200]])
    assert.deepStrictEqual(withoutVerticalRules(picture).pixels, picture.pixels)
  })
})
