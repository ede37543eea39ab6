import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { recognisePage } from "../../src/document/RecognisePage.ts"
import type { ScanImage, Turns } from "../../src/document/ScanImage.ts"
import type { OcrImage } from "../../src/providers/Ocr.ts"

/** What the engine is told of an empty page of this size, in points. */
const askedOf = (width: number, height: number) =>
  Effect.gen(function* () {
    const asked: Array<OcrImage> = []
    const pictureOf = (turns: Turns) =>
      Effect.succeed<ScanImage>({
        width: 1,
        height: 1,
        dpi: 72,
        pixels: new Uint8Array(1),
        page: { width, height },
        turns,
        skew: 0,
        enlarged: 1,
        sideways: false
      })
    yield* recognisePage({ pageNumber: 1, width, height, lines: [] }, pictureOf, (image) => {
      asked.push(image)
      return Effect.succeed([])
    })
    return asked.map(({ oneColumn }) => oneColumn)
  })

describe("a page is searched for columns", () => {
  it.effect("where it has the shape of paper", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* askedOf(595, 842), [false])
      assert.deepStrictEqual(yield* askedOf(612, 1008), [false])
      assert.deepStrictEqual(yield* askedOf(842, 595), [false])
    })
  )

  it.effect("but not where it is as long and narrow as a receipt", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* askedOf(200, 420), [true])
    })
  )
})
