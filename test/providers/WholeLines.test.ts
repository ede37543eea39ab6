import { assert, describe, it } from "@effect/vitest"
import { pyramidOf } from "../../src/providers/ocr/paddle/GrayImage.ts"
import { stripOf } from "../../src/providers/ocr/paddle/LineStrip.ts"
import type { Networks } from "../../src/providers/ocr/paddle/Networks.ts"
import { readLines } from "../../src/providers/ocr/paddle/RecogniseLines.ts"
import type { TextBox } from "../../src/providers/ocr/paddle/TextBox.ts"
import { withWholeLetters } from "../../src/providers/ocr/paddle/WholeLetters.ts"
import { withWholeLines } from "../../src/providers/ocr/paddle/WholeLines.ts"

const [width, height] = [800, 200]

/** A picture of paper in a grey, with ink where `inside` says so. */
const drawn = (inside: (x: number, y: number) => boolean, paper = 230, ink = 40) => {
  const pixels = new Uint8Array(width * height).fill(paper)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (inside(x, y)) pixels[y * width + x] = ink
  return pyramidOf({ width, height, pixels })
}

/** Letters of 20 by 12 pixels, 4 apart, from `x` to `to`, with their top at `y`: two strokes and a bar. */
const letters = (from: number, to: number, top: number) => (x: number, y: number) => {
  const at = (x - from) % 16
  return (
    x >= from &&
    x < to &&
    y >= top &&
    y < top + 20 &&
    at < 12 &&
    (at < 3 || at > 8 || Math.abs(y - top - 10) < 2)
  )
}

const boxOf = (left: number, top: number, right: number, bottom: number): TextBox => ({
  cx: (left + right) / 2,
  cy: (top + bottom) / 2,
  w: right - left,
  h: bottom - top,
  ux: 1,
  uy: 0
})

const edgesOf = ({ cx, cy, h, w }: TextBox) => ({
  left: cx - w / 2,
  top: cy - h / 2,
  right: cx + w / 2,
  bottom: cy + h / 2
})

/** A network that reads a letter at every second step: surely, if the line is at least `from` pixels wide. */
const narrowReader = (from: number): Networks => {
  const run: Networks["recognition"]["run"] = (_, [, , , wide = 0]) => {
    const steps = wide / 8
    const values = new Float32Array(3 * steps)
    for (let at = 0; at < steps; at++) values[3 * at + (at % 2)] = at % 2 === 0 || wide >= from ? 0.95 : 0.5
    return Promise.resolve({ values, shape: [1, steps, 3] })
  }
  return { detection: { run }, recognition: { run }, dictionary: ["", "a", " "] }
}

describe("a line of narrow print", () => {
  it("is read once more, stretched, where the network doubts it", async () => {
    const [line] = await readLines(narrowReader(500), drawn(letters(100, 400, 80)), [boxOf(96, 74, 404, 106)])
    assert.isAbove(line?.steps ?? 0, 60)
    const [kept] = await readLines(narrowReader(900), drawn(letters(100, 400, 80)), [boxOf(96, 74, 404, 106)])
    assert.isBelow(kept?.steps ?? 0, 60)
  })
})

describe("the box of a line", () => {
  it("has its letters whole where the network marked too few rows", () => {
    const [found, ...more] = withWholeLetters(drawn(letters(100, 400, 80)), boxOf(96, 88, 404, 106))
    assert.deepStrictEqual(more, [])
    assert.isTrue(found !== undefined && edgesOf(found).top <= 80 && edgesOf(found).bottom >= 100)
  })

  it("does not reach into the line above or below", () => {
    const two = drawn((x, y) => letters(100, 400, 80)(x, y) || letters(100, 400, 106)(x, y))
    const [found, ...more] = withWholeLetters(two, boxOf(96, 74, 404, 114))
    assert.deepStrictEqual(more, [])
    assert.isTrue(found !== undefined && edgesOf(found).top <= 80 && edgesOf(found).bottom <= 107)
  })

  it("leaves out a rule above or below it", () => {
    const ruled = drawn((x, y) => letters(100, 400, 80)(x, y) || (y >= 72 && y < 75) || (y >= 104 && y < 107))
    const [found, ...more] = withWholeLetters(ruled, boxOf(96, 68, 404, 110))
    assert.deepStrictEqual(more, [])
    assert.isTrue(found !== undefined && edgesOf(found).top >= 74 && edgesOf(found).bottom <= 105)
  })

  it("does not reach into the next word of the line", () => {
    const two = drawn((x, y) => letters(100, 196, 80)(x, y) || letters(216, 312, 80)(x, y))
    const boxes = [boxOf(96, 74, 223, 106), boxOf(208, 74, 320, 106)]
    const [left, right, ...more] = withWholeLines(two, boxes).map(edgesOf)
    assert.deepStrictEqual(more, [])
    assert.isTrue(left !== undefined && left.right > 192 && left.right <= 216)
    assert.isTrue(right !== undefined && right.left >= 196 && right.left <= 216)
    assert.isTrue(left !== undefined && right !== undefined && left.right <= right.left)
  })

  it("stays as it is where the letters of two lines touch", () => {
    const touching = drawn(
      (x, y) => letters(100, 400, 60)(x, y) || letters(100, 400, 84)(x, y) || (x === 200 && y > 40 && y < 130)
    )
    const [found, ...more] = withWholeLetters(touching, boxOf(96, 56, 404, 82))
    assert.deepStrictEqual(more, [])
    assert.closeTo(found?.h ?? 0, 26, 1)
  })

  it("is two boxes if the network took two lines for one", () => {
    const two = drawn((x, y) => letters(100, 140, 60)(x, y) || letters(100, 140, 88)(x, y))
    const found = withWholeLetters(two, boxOf(92, 52, 148, 116))
    assert.strictEqual(found.length, 2)
    for (const box of found) assert.isBelow(box.h, 40)
  })

  it("keeps an accent that is apart from its letter", () => {
    const accented = drawn(
      (x, y) => letters(100, 400, 80)(x, y) || (x >= 120 && x < 126 && y >= 74 && y < 78)
    )
    const [found] = withWholeLetters(accented, boxOf(92, 70, 408, 108))
    assert.isBelow(found === undefined ? Infinity : edgesOf(found).top, 74)
  })

  it("goes from the first letter to the last one, also of light print on dark", () => {
    for (const picture of [drawn(letters(100, 500, 80)), drawn(letters(100, 500, 80), 60, 220)]) {
      const [found, ...more] = withWholeLines(picture, [boxOf(180, 74, 340, 106)])
      assert.deepStrictEqual(more, [])
      assert.isTrue(found !== undefined && edgesOf(found).left <= 100 && edgesOf(found).right >= 492)
      assert.isTrue(found !== undefined && edgesOf(found).left > 90 && edgesOf(found).right < 510)
    }
  })

  it("ends where its letters end on a grey band, too, which ends further on", () => {
    const pixels = new Uint8Array(width * height).fill(228)
    const inLine = letters(100, 300, 80)
    for (let y = 70; y < 110; y++)
      for (let x = 80; x < 600; x++) pixels[y * width + x] = inLine(x, y) ? 30 : 168 + ((x * 7 + y * 3) % 9)
    for (const [at, level] of pixels.entries()) pixels[at] = level + (level > 200 ? (at * 13) % 20 : 0)
    const [found] = withWholeLines(pyramidOf({ width, height, pixels }), [boxOf(90, 66, 302, 114)])
    assert.isTrue(found !== undefined && edgesOf(found).right < 320 && edgesOf(found).left > 80)
  })

  it("is cut out in black on white, whatever it is printed on", () => {
    for (const [paper, ink, around] of [
      [60, 220, 235],
      [168, 30, 235]
    ] as const) {
      const inLine = letters(100, 300, 80)
      const pixels = new Uint8Array(width * height).fill(around)
      for (let y = 76; y < 130; y++)
        for (let x = 0; x < width; x++) pixels[y * width + x] = inLine(x, y) ? ink : paper
      const strip = stripOf(pyramidOf({ width, height, pixels }), boxOf(96, 70, 304, 106))
      const dark = strip.pixels.reduce((count, level) => (level < 80 ? count + 1 : count), 0)
      assert.closeTo(dark / strip.pixels.length, 0.18, 0.06)
      assert.isAbove(strip.pixels[strip.width * 20 + 11] ?? 0, 240)
    }
  })

  it("ends before another column, a rule across it and one along it", () => {
    const column = drawn((x, y) => letters(100, 300, 80)(x, y) || letters(330, 500, 80)(x, y))
    const across = drawn((x, y) => letters(100, 300, 80)(x, y) || (x >= 306 && x < 309))
    const along = drawn((x, y) => letters(100, 300, 80)(x, y) || (y >= 103 && y < 106))
    for (const picture of [column, across, along]) {
      const [found] = withWholeLines(picture, [boxOf(96, 74, 296, 106)])
      assert.isTrue(found !== undefined && edgesOf(found).right < 310)
    }
  })

  it("is one, where the network parts it within a word, and two with a gap between", () => {
    const pieces = [boxOf(96, 74, 250, 106), boxOf(246, 76, 504, 104)]
    assert.strictEqual(withWholeLines(drawn(letters(100, 500, 80)), pieces).length, 1)
    const apart = drawn((x, y) => letters(100, 230, 80)(x, y) || letters(250, 500, 80)(x, y))
    assert.strictEqual(withWholeLines(apart, pieces).length, 2)
  })
})
