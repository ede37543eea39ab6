import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { recognisePage } from "../../src/document/scan/RecognisePage.ts"
import type { Recognition } from "../../src/providers/ocr/Ocr.ts"

/** The warning about a page on which an engine reads these words, all with this confidence. */
const warningOf = (text: string, confidence: number, warning: Pick<Recognition, "warning"> = {}) =>
  Effect.gen(function* () {
    const words = text
      .split(" ")
      .map((word, i) => ({ text: word, confidence, bbox: { x: 20, y: 20 + 15 * i, w: 60, h: 10 } }))
    const [width, height] = [595, 842]
    const page = { pageNumber: 1, width, height, lines: [] }
    const picture = {
      width,
      height,
      dpi: 72,
      pixels: new Uint8Array(width * height),
      page: { width, height }
    }
    const scan = { ...picture, turns: 0, skew: 0, lean: 0, enlarged: 1, sideways: false } as const
    const read = yield* recognisePage(
      page,
      () => Effect.succeed(scan),
      () => Effect.succeed({ words, engine: "paddle", languages: ["eng"], ...warning })
    )
    assert.strictEqual(read.lines.length, words.length)
    return read.recognition?.warning
  })

/** What the engines read of a Russian page. */
const cyrillic = "Cnacn6o 3aka3 onKeH onna4eH KoHua MecALa CyMma"

describe("a page whose words are mostly uncertain", () => {
  it.effect("has a warning, because it may be in another script", () =>
    Effect.gen(function* () {
      assert.include(yield* warningOf(cyrillic, 0.65), "Most words of a page are uncertain")
    })
  )

  it.effect("is not one of sure words, of digits, or of a few words", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* warningOf("Thank you for your order of these chairs", 0.9))
      assert.isUndefined(yield* warningOf("12.50 3.00 17.20 2026-11-02 118822 44.10", 0.65))
      assert.isUndefined(yield* warningOf("Total paid", 0.65))
    })
  )

  it.effect("keeps the warning of the engine, which names the language", () =>
    Effect.gen(function* () {
      const warning = "The page seems to be in Finnish"
      assert.strictEqual(
        yield* warningOf("Kiitos tilauksesta Lasku maksettava Yhteensa nakyvat alla", 0.65, { warning }),
        warning
      )
    })
  )
})
