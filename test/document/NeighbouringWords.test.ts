import { assert, describe, it } from "@effect/vitest"
import { withLitres, withoutEchoes } from "../../src/document/scan/RecognisePage.ts"

const word = (text: string, x: number, w: number) => ({ text, x, y: 20, w, h: 10 })
type Placed = ReturnType<typeof word>
const textOf = (words: ReadonlyArray<Placed>): string => words.map(({ text }) => text).join(" ")

describe("words next to each other", () => {
  it.each([
    [[word("3", 188, 6), word("318", 190, 22), word("135", 219, 22)], "318 135"],
    [[word("5", 512, 5), word("5.636,67", 514, 35)], "5.636,67"],
    [[word("13", 499, 9), word("1", 499, 2), word("200,88", 511, 27)], "13 200,88"]
  ])("are one where recognition saw the first twice: %j", (words, text) => {
    assert.strictEqual(textOf(withoutEchoes(words)), text)
  })

  it("are two where they are in places of their own", () => {
    const words = [word("3", 188, 6), word("318", 197, 22), word("Go", 240, 10), word("o", 249, 6)]
    assert.strictEqual(textOf(withoutEchoes(words)), "3 318 Go o")
  })

  it.each([
    [[word("60", 149, 8), word("|", 158, 4), word("25,00", 365, 18)], "60 l 25,00"],
    [[word("300", 149, 16), word("I", 168, 2)], "300 l"],
    [[word("300", 149, 16), word("|", 168, 2), word("25", 172, 9)], "300 | 25"],
    [[word("300", 149, 16), word("|", 175, 2)], "300 |"],
    [[word("Art.", 149, 16), word("I", 168, 2)], "Art. I"]
  ])("are a number and its litres, and no border: %j", (words, text) => {
    assert.strictEqual(textOf(withLitres(words)), text)
  })
})
