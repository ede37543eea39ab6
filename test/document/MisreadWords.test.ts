import { assert, describe, it } from "@effect/vitest"
import { mendedWords } from "../../src/document/scan/RecognisePage.ts"

const wordsIn = (text: string) =>
  mendedWords({ text, confidence: 0.9, bbox: { x: 100, y: 20, w: 10 * text.length, h: 12 } })

describe("words that recognition joins or misspells", () => {
  it.each([
    ["Dated:11-0ct-25", ["Dated:", "11-Oct-25"]],
    ["#:PB-2207-04", ["#:", "PB-2207-04"]],
    ["VKN:4610118820", ["VKN:", "4610118820"]],
    ["Fakturanr.23918744·", ["Fakturanr.", "23918744·"]],
    ["0.0.", ["o.o."]],
    ["d.o.0.", ["d.o.o."]],
    ["0begränsat", ["Obegränsat"]],
    ["Br0darice", ["Brodarice"]]
  ])("%s is %j", (text, parts) => {
    assert.deepStrictEqual(
      wordsIn(text).map((word) => word.text),
      parts
    )
  })

  it.each([
    "14:22:08",
    "https://shop.example",
    "Total:",
    "0.00",
    "F0C8D21A-0007",
    "0kg",
    "30ml",
    "S.r.l.2024",
    "fig.2024",
    "Q10",
    "A0B"
  ])("%s stays", (text) => {
    assert.deepStrictEqual(
      wordsIn(text).map((word) => word.text),
      [text]
    )
  })

  it("each part has its share of the box", () => {
    assert.deepStrictEqual(
      wordsIn("No:118").map(({ bbox }) => [bbox.x, bbox.w]),
      [
        [100, 30],
        [130, 30]
      ]
    )
  })
})
