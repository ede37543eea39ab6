import { assert, describe, it } from "@effect/vitest"
import { detectLines } from "../../src/providers/ocr/paddle/DetectLines.ts"
import { pyramidOf } from "../../src/providers/ocr/paddle/GrayImage.ts"
import type { Network } from "../../src/providers/ocr/paddle/Networks.ts"

const [width, height] = [1400, 2000]
const pitch = 40
const count = 48

/** A page of black bars, one below the other: the cores that the network marks of lines. */
const pageOfBars = (thickness: number) => {
  const pixels = new Uint8Array(width * height).fill(255)
  for (let line = 0; line < count; line++)
    for (let y = pitch * (line + 1); y < pitch * (line + 1) + thickness; y++)
      pixels.fill(0, y * width + 200, y * width + 1200)
  return pyramidOf({ width, height, pixels })
}

/** A network that marks what is black, and the sizes of the pictures that it saw. */
const blackIsText = () => {
  const seen: Array<readonly [width: number, height: number]> = []
  const run: Network["run"] = (values, [, , h = 0, w = 0]) => {
    seen.push([w, h])
    return Promise.resolve({
      values: values.slice(0, w * h).map((value) => (value < 0 ? 0.99 : 0)),
      shape: [1, 1, h, w]
    })
  }
  return { network: { run }, seen }
}

describe("lines of small print", () => {
  it("are looked for once more, larger, in strips that take no more memory, and are found once each", async () => {
    const { network, seen } = blackIsText()
    const lines = await detectLines(network, pageOfBars(8))
    const [[firstWidth, firstHeight] = [0, 0], ...strips] = seen
    assert.isAbove(strips.length, 1)
    for (const [w, h] of strips) {
      assert.approximately(w / firstWidth, 1.5, 0.1)
      assert.isBelow(w * h, firstWidth * firstHeight)
    }
    const middles = lines.map(({ cy }) => Math.round((cy - 4) / pitch)).toSorted((a, b) => a - b)
    assert.deepStrictEqual(
      middles,
      Array.from({ length: count }, (_, line) => line + 1)
    )
  })

  it("do not have larger print looked at twice", async () => {
    const { network, seen } = blackIsText()
    const lines = await detectLines(network, pageOfBars(16))
    assert.strictEqual(seen.length, 1)
    assert.strictEqual(lines.length, count)
  })
})
