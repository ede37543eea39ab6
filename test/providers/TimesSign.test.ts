import { assert, describe, it } from "@effect/vitest"
import { withTimesSigns } from "../../src/providers/ocr/paddle/TimesSign.ts"

const height = 48
/** Figures go from row 10 up to the foot of the line, row 38. */
const [head, foot] = [10, 38]

/** A line of letters 16 pixels wide, 6 apart: figures as high as they are, and crosses from `top` to `bottom`. */
const line = (text: string, { bottom, gap = 6, top }: { bottom: number; gap?: number; top: number }) => {
  const letters = [...text]
  const width = 20 + letters.length * (16 + gap)
  const pixels = new Uint8Array(width * height).fill(255)
  const characters = letters.map((letter, i) => {
    const left = 10 + i * (16 + gap)
    if (letter !== " ") {
      const [from, to] = letter === "x" ? [top, bottom] : [head, foot]
      for (let row = from; row < to; row++)
        for (let column = left; column < left + 16; column++) {
          const isEdge = row === from || row === to - 1 || column === left || column === left + 15
          const isCross = Math.abs((row - from) / (to - from) - (column - left) / 16) < 0.2
          if (isEdge || (letter === "x" && isCross)) pixels[row * width + column] = 20
        }
    }
    return { text: letter, at: left + 8 }
  })
  return { picture: { width, height, pixels }, characters }
}

const read = (text: string, cross: Parameters<typeof line>[1]): string => {
  const { characters, picture } = line(text, cross)
  return withTimesSigns(picture, characters).join("")
}

const onLine = { top: 17, bottom: foot }
const above = { top: 15, bottom: foot - 5 }

describe("the sign of multiplication between figures", () => {
  it("is one where its foot is above that of the figures", () => {
    assert.strictEqual(read("970x310", above), "970×310")
    assert.strictEqual(read("25 x 38", above), "25 × 38")
  })

  it("is an x where its foot is on the line, whatever was read", () => {
    assert.strictEqual(read("970x310", onLine), "970x310")
    const { characters, picture } = line("3x4", onLine)
    const misread = characters.map(({ at, text }) => ({ at, text: text === "x" ? "×" : text }))
    assert.strictEqual(withTimesSigns(picture, misread).join(""), "3x4")
  })

  it("stays as it was read where the ink does not show it", () => {
    assert.strictEqual(read("970x310", { top: 16, bottom: foot - 2 }), "970x310")
    assert.strictEqual(read("970x310", { ...above, gap: 0 }), "970x310")
    assert.strictEqual(read("Max 3", above), "Max 3")
    const { characters } = line("3x4", above)
    const blank = { width: 80, height, pixels: new Uint8Array(80 * height).fill(255) }
    assert.strictEqual(withTimesSigns(blank, characters).join(""), "3x4")
  })
})
