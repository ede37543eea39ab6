import { assert, describe, it } from "@effect/vitest"
import { isGrainy, prepareScan } from "../../src/document/scan/PrepareScan.ts"

const [width, height] = [1200, 1400]

/** Light paper with grain of a strength, from a generator with a fixed start, and thick strokes. */
const pictureOf = (strength: number) => {
  let state = 7
  const pixels = new Uint8Array(width * height).map((_, at) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const isStroke = at % 60 < 4 && Math.floor(at / width) % 40 < 12
    return (isStroke ? 60 : 200) + strength * (state / 0xffffffff - 0.5)
  })
  return { width, height, dpi: 200, pixels }
}

/** How many pixels of the paper are far from the paper's grey. */
const speckles = (pixels: Uint8Array): number =>
  pixels.filter((value, at) => at % 60 > 8 && Math.abs(value - 200) > 30).length

describe("the grain of a scan", () => {
  it("is found where letters cannot be told from it, and not in the noise of a usual scanner", () => {
    assert.deepStrictEqual([0, 40, 100].map(pictureOf).map(isGrainy), [false, false, true])
  })

  it("is smoothed before recognition; other pictures stay as they are", async () => {
    const [clean, grainy] = [pictureOf(20), pictureOf(100)]
    assert.deepStrictEqual((await prepareScan(clean, 0)).pixels, clean.pixels)
    const { pixels } = await prepareScan(grainy, 0)
    assert.isBelow(speckles(pixels), 0.05 * speckles(grainy.pixels))
  })
})
