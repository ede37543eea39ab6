import { assert, describe, it } from "@effect/vitest"
import { decodeLine } from "../../src/providers/ocr/paddle/DecodeLine.ts"
import { findLines } from "../../src/providers/ocr/paddle/FindLines.ts"
import { asRead } from "../../src/providers/ocr/paddle/CutLine.ts"
import { pyramidOf } from "../../src/providers/ocr/paddle/GrayImage.ts"
import { fromStrip, stripOf } from "../../src/providers/ocr/paddle/LineStrip.ts"
import { wordsOfLine } from "../../src/providers/ocr/paddle/LineWords.ts"
import { modelFiles, readDictionary, readModel } from "../../src/providers/ocr/paddle/ModelFiles.ts"

const dictionary = ["", "a", "b", "7", ".", " "]

/** The network's output where each step says one class with some probability, and a space with another. */
const output = (steps: ReadonlyArray<readonly [text: string, space?: number]>) => {
  const values = new Float32Array(steps.length * dictionary.length)
  for (const [i, [text, space = 0]] of steps.entries()) {
    values[i * dictionary.length + 5] = space
    values[i * dictionary.length + dictionary.indexOf(text)] = 0.9
  }
  return { values, steps: steps.length, classes: dictionary.length }
}

const textOf = (steps: Parameters<typeof output>[0]): string =>
  decodeLine(output(steps), dictionary)
    .map(({ text }) => text)
    .join("")

describe("the characters of a line", () => {
  it("are the classes without blanks and repetitions", () => {
    assert.strictEqual(textOf([["a"], ["a"], [""], ["a"], ["b"], [""]]), "aab")
  })

  it("have a space where one is a little likely, but not between a digit and its point", () => {
    assert.strictEqual(textOf([["a"], ["", 0.04], ["b"]]), "a b")
    assert.strictEqual(textOf([["a"], ["", 0.01], ["b"]]), "ab")
    assert.strictEqual(textOf([["7"], ["", 0.04], ["."]]), "7.")
    assert.strictEqual(textOf([["7"], ["", 0.04], ["7"]]), "7 7")
  })

  it("become words where they are along the box, also where that lies askew", () => {
    const characters = decodeLine(output([["a"], ["b"], ["", 0.5], [""], ["a"], ["b"]]), dictionary)
    const straight = { cx: 100, cy: 50, w: 60, h: 20, ux: 1, uy: 0 }
    const [first, second] = wordsOfLine({ box: straight, steps: 6, characters })
    assert.strictEqual(first?.text, "ab")
    assert.isTrue((first?.bbox.x ?? 0) >= 70 && (second?.bbox.x ?? 0) > 100)
    assert.closeTo(first?.confidence ?? 0, 0.9, 1e-6)
    const date = Array.from("7.7", (text, at) => ({ text, probability: 1 - 0.2 * at, from: at, to: at }))
    const [number] = wordsOfLine({ box: straight, steps: 6, characters: date })
    assert.closeTo(number?.confidence ?? 0, 0.6, 1e-6)
    const falling = { ...straight, ux: Math.SQRT1_2, uy: Math.SQRT1_2 }
    const [upper, lower] = wordsOfLine({ box: falling, steps: 6, characters })
    assert.isAbove((lower?.bbox.y ?? 0) - (upper?.bbox.y ?? 0), 15)
  })
})

/** What the detection network says of a picture with text in these places. */
const mapOf = (inside: (x: number, y: number) => boolean) => {
  const [width, height] = [160, 96]
  const values = new Float32Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (inside(x, y)) values[y * width + x] = 0.97
  return { width, height, values }
}

const bent = (x: number, y: number): boolean => Math.abs(y - 40 - (x * x) / 1200) < 1.6
const long = (x: number, y: number): boolean => x < 140 && Math.abs(y - 20 - x * 0.05) < 4
const diamond = (x: number, y: number): boolean => Math.abs(x - 80) + Math.abs(y - 70) < 5
const inLine = (x: number, y: number): boolean => x >= 20 && x < 120 && y >= 20 && y < 28

describe("lines", () => {
  it("are found apart, and grown to the height of their letters", () => {
    const found = findLines(
      mapOf((x, y) => x >= 20 && x < 120 && ((y >= 20 && y < 28) || (y >= 60 && y < 68)))
    )
    assert.strictEqual(found.length, 2)
    const [upper] = found
    assert.closeTo(upper?.cy ?? 0, 23.5, 0.6)
    assert.isTrue((upper?.h ?? 0) > 15 && (upper?.h ?? 0) < 22)
  })

  it("that lie askew get a box that lies so", () => {
    const [line] = findLines(mapOf((x, y) => x >= 20 && x < 120 && Math.abs(y - 30 - x * 0.2) < 4))
    assert.closeTo((line?.uy ?? 0) / (line?.ux ?? 1), 0.2, 0.03)
  })

  it("that are specks or unlikely are none", () => {
    assert.deepStrictEqual(findLines(mapOf((x, y) => x < 2 && y < 2)), [])
  })

  it("of a single figure are as high as the others", () => {
    const [whole, figure, ...more] = findLines(
      mapOf((x, y) => inLine(x, y) || (x >= 140 && x < 142 && y >= 22 && y < 25))
    )
    assert.deepStrictEqual(more, [])
    assert.strictEqual(figure?.h, whole?.h)
    assert.closeTo(figure?.cx ?? 0, 140.5, 0.6)
    // Within a line it is part of it.
    assert.strictEqual(findLines(mapOf((x, y) => inLine(x, y) || (x === 60 && y >= 30 && y < 32))).length, 1)
  })

  it("of small print are found, although the network marks few rows of them", () => {
    const [thin, ...more] = findLines(mapOf((x, y) => x >= 20 && x < 120 && y >= 20 && y < 22))
    assert.deepStrictEqual(more, [])
    assert.closeTo(thin?.w ?? 0, 99, 6)
    assert.deepStrictEqual(findLines(mapOf((x, y) => x >= 20 && x < 24 && y >= 20 && y < 22)), [])
  })

  it("that lean, so that little of their box is marked, are found", () => {
    assert.strictEqual(findLines(mapOf((x, y) => x >= 10 && x < 150 && bent(x, y))).length, 1)
  })

  it("that are too short to have a direction of their own have that of the others", () => {
    const figure = findLines(mapOf((x, y) => long(x, y) || diamond(x, y))).find(({ cy }) => cy > 50)
    assert.closeTo((figure?.uy ?? 1) / (figure?.ux ?? 1), 0.05, 0.02)
  })

  it("that run upwards are turned to be read", () => {
    const box = asRead({ cx: 10, cy: 50, w: 20, h: 80, ux: 1, uy: 0 })
    assert.deepStrictEqual([box.w, box.h, box.ux, box.uy], [80, 20, 0, -1])
  })

  it("are cut out for Tesseract, and what is found there is given its place in the picture", () => {
    const pixels = new Uint8Array(200 * 100).fill(255)
    for (let y = 40; y < 60; y++) for (let x = 50; x < 70; x++) pixels[y * 200 + x] = 0
    const box = { cx: 100, cy: 50, w: 120, h: 30, ux: 1, uy: 0 }
    const strip = stripOf(pyramidOf({ width: 200, height: 100, pixels }), box)
    const row = strip.pixels.subarray(strip.width * 25, strip.width * 26)
    const [from, to] = [row.indexOf(0), row.lastIndexOf(0)]
    const word = fromStrip(box, { x: from, y: 0, w: to + 1 - from, h: strip.height })
    assert.closeTo(word.x, 50, 1)
    assert.closeTo(word.w, 20, 1.5)
    assert.closeTo(word.y + word.h / 2, 50, 1)
  })
})

describe("the files of the models", () => {
  it("are the ones that were measured", () => {
    for (const file of Object.values(modelFiles)) assert.isAbove(readModel(file).length, 1000)
    assert.strictEqual(readDictionary().length, 6625)
  })

  it("are refused where they were changed", () => {
    assert.throws(() => readModel({ ...modelFiles.dictionary, sha256: "0".repeat(64) }), /reinstall/)
  })
})
