import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { documentText } from "../../src/domain/DocumentIR.ts"
import { drawSeen, type Seen, type Syllable } from "./DrawSeen.ts"
import { sharedReader } from "../support/SharedReader.ts"

const seen = (text: string, x: number): Seen => ({ text, x, y: 100 })

/** A syllable whose first glyph is at `x`, and whose vowel or tone is at `mark`. */
const syllable = (says: string, x: number, mark: number): Syllable => {
  return { says, glyphs: [...says].map((glyph, i) => seen(glyph, i === 0 ? x : mark)) }
}

const textOf = Effect.fnUntraced(function* (parts: ReadonlyArray<Seen | Syllable>) {
  const reader = yield* DocumentReader
  const bytes = yield* Effect.promise(() => drawSeen(parts))
  return documentText(yield* reader.read(bytes, { mimeType: "application/pdf" }))
})

layer(sharedReader, { excludeTestServices: true })("syllables of several glyphs", (it) => {
  it.effect("are read once where a mark is drawn above the next letter", () =>
    Effect.gen(function* () {
      const said = yield* textOf([syllable("วั", 100, 106.2), seen("น", 106), syllable("ที่", 112, 112.1)])
      assert.strictEqual(said, "วันที่")
    })
  )

  it.effect("are read once where two are drawn over each other", () =>
    Effect.gen(function* () {
      const said = yield* textOf([syllable("ผู้", 100, 107), syllable("ซื้", 106, 112.5), seen("อ", 112)])
      assert.strictEqual(said, "ผู้ซื้อ")
    })
  )

  it.effect("belong to one word where a wide vowel follows the first glyph", () =>
    Effect.gen(function* () {
      const said = yield* textOf([syllable("กำ", 100, 106), syllable("กั", 112, 112.1), seen("บ", 118)])
      assert.strictEqual(said, "กำกับ")
    })
  )

  it.effect("are two words where a cell is between them", () =>
    Effect.gen(function* () {
      const said = yield* textOf([syllable("รำ", 100, 106), syllable("ที่", 140, 140.1), seen("น", 165)])
      assert.strictEqual(said, "รำ ที่ น")
    })
  )

  it.effect("are read as often as they are written", () =>
    Effect.gen(function* () {
      const said = yield* textOf([syllable("ดี", 100, 100.1), syllable("ดี", 106, 106.1)])
      assert.strictEqual(said, "ดีดี")
    })
  )
})
