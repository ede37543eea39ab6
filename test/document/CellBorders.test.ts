import { assert, describe, it } from "@effect/vitest"
import { withoutCellBorders } from "../../src/document/scan/RecognisePage.ts"

const wordsIn = (text: string) =>
  withoutCellBorders({ text, confidence: 0.9, bbox: { x: 100, y: 20, w: 10 * text.length, h: 12 } })

describe("borders of cells among recognised letters", () => {
  it.each([
    ["46|km", ["46", "km"]],
    ["200,00|21%", ["200,00", "21%"]],
    ["148.00|", ["148.00"]],
    ["|9,90", ["9,90"]],
    ["95.00]", ["95.00"]],
    ["1]", ["1"]],
    ["[12", ["12"]],
    ["3|48,00|144,00", ["3", "48,00", "144,00"]]
  ])("%s is %j", (text, parts) => {
    assert.deepStrictEqual(
      wordsIn(text).map((word) => word.text),
      parts
    )
  })

  it.each(["|", "||", "[1]", "(12)", "a[0]", "|nvoice", "{x}", "Total"])("%s stays", (text) => {
    assert.deepStrictEqual(
      wordsIn(text).map((word) => word.text),
      [text]
    )
  })

  it("each part has its share of the box", () => {
    assert.deepStrictEqual(
      wordsIn("46|km").map(({ bbox }) => [bbox.x, bbox.w]),
      [
        [100, 20],
        [130, 20]
      ]
    )
  })
})
