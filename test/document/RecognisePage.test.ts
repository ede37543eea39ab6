import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { recognisePage } from "../../src/document/scan/RecognisePage.ts"
import type { ScanImage, Turns } from "../../src/document/scan/ScanImage.ts"
import { ScanDirections } from "../../src/document/scan/ScanDirections.ts"
import type { OcrImage, Recognition } from "../../src/providers/ocr/Ocr.ts"

/** A picture that shows nothing but how it was turned. */
const pictureTurned = (turns: Turns, page = { width: 595, height: 842 }): ScanImage => ({
  width: 1,
  height: 1,
  dpi: 72,
  pixels: Uint8Array.of(turns),
  page,
  turns,
  skew: 0,
  lean: 0,
  enlarged: 1,
  sideways: false
})

/** What the engine is told of an empty page of this size, in points. */
const askedOf = (width: number, height: number) =>
  Effect.gen(function* () {
    const asked: Array<OcrImage> = []
    const pictureOf = (turns: Turns) => Effect.succeed(pictureTurned(turns, { width, height }))
    yield* recognisePage({ pageNumber: 1, width, height, lines: [] }, pictureOf, (image) => {
      asked.push(image)
      return Effect.succeed({ words: [] })
    })
    return asked.map(({ layout }) => layout)
  })

describe("a page is searched for columns", () => {
  it.effect("where it has the shape of paper", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* askedOf(595, 842), ["page"])
      assert.deepStrictEqual(yield* askedOf(612, 1008), ["page"])
      assert.deepStrictEqual(yield* askedOf(842, 595), ["page"])
    })
  )

  it.effect("but not where it is as long and narrow as a receipt", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* askedOf(200, 420), ["column"])
    })
  )
})

/** What is recognised of pages that lie so, one after the other: the turns that were tried, and how each was taken. */
const triedOn = (lying: ReadonlyArray<{ readonly turns: Turns; readonly sideways?: boolean }>) =>
  Effect.gen(function* () {
    const directions = new ScanDirections()
    const tried: Array<ReadonlyArray<number>> = []
    const taken: Array<Turns> = []
    for (const [i, { sideways = false, turns: lies }] of lying.entries()) {
      const turnsOfPage: Array<number> = []
      // The picture shows nothing but how it was turned.
      const pictureOf = (turns: Turns) =>
        Effect.succeed<ScanImage>({
          width: 1,
          height: 1,
          dpi: 72,
          pixels: Uint8Array.of(turns),
          page: { width: 595, height: 842 },
          turns,
          skew: 0,
          lean: 0,
          enlarged: 1,
          sideways
        })
      const recognize = ({ pixels }: OcrImage) =>
        Effect.sync((): Recognition => {
          const [shown = 0] = pixels
          turnsOfPage.push(shown)
          const confidence = shown === lies ? 0.95 : 0.2
          return { words: [{ text: "Invoice", confidence, bbox: { x: 50, y: 50, w: 60, h: 12 } }] }
        })
      const page = { pageNumber: i + 1, width: 595, height: 842, lines: [] }
      const read = yield* recognisePage(page, pictureOf, recognize, directions)
      tried.push(turnsOfPage)
      taken.push(("slant" in read ? read.slant?.turns : undefined) ?? 0)
    }
    return { tried, taken }
  })

describe("the pages of one scan", () => {
  it.effect("are tried first as those before them lay", () =>
    Effect.gen(function* () {
      const { taken, tried } = yield* triedOn([{ turns: 2 }, { turns: 2 }, { turns: 2 }, { turns: 0 }])
      assert.deepStrictEqual(tried, [[0, 2], [2], [2], [2, 0]])
      assert.deepStrictEqual(taken, [2, 2, 2, 0])
    })
  )

  it.effect("are tried first on the side on which those before them lay", () =>
    Effect.gen(function* () {
      const { tried } = yield* triedOn([
        { turns: 3, sideways: true },
        { turns: 3, sideways: true },
        { turns: 0 }
      ])
      assert.deepStrictEqual(tried, [[1, 3], [3], [0]])
    })
  )

  it.effect("cost no more where every second one lies on its head", () =>
    Effect.gen(function* () {
      const { taken, tried } = yield* triedOn([{ turns: 0 }, { turns: 2 }, { turns: 0 }, { turns: 2 }])
      assert.deepStrictEqual(tried, [[0], [0, 2], [0], [0, 2]])
      assert.deepStrictEqual(taken, [0, 2, 0, 2])
    })
  )
})

/** A page whose lines lean by 0.9 degrees. */
const leaningPicture = (turns: Turns) =>
  Effect.succeed<ScanImage>({
    width: 595,
    height: 842,
    dpi: 72,
    pixels: new Uint8Array(1),
    page: { width: 595, height: 842 },
    turns,
    skew: 0,
    lean: 0.9,
    enlarged: 1,
    sideways: false
  })

describe("a page that leans a little", () => {
  it.effect("is read in its rows, and its words stay where they are", () =>
    Effect.gen(function* () {
      const down = 500 * Math.tan((0.9 * Math.PI) / 180)
      const words = [
        { text: "Table", confidence: 0.95, bbox: { x: 50, y: 100, w: 30, h: 10 } },
        { text: "Chair", confidence: 0.95, bbox: { x: 50, y: 112, w: 30, h: 10 } },
        { text: "20.00", confidence: 0.95, bbox: { x: 550, y: 100 + down, w: 30, h: 10 } },
        { text: "30.00", confidence: 0.95, bbox: { x: 550, y: 112 + down, w: 30, h: 10 } }
      ]
      const page = { pageNumber: 1, width: 595, height: 842, lines: [] }
      const read = yield* recognisePage(page, leaningPicture, () => Effect.succeed({ words }))
      assert.deepStrictEqual(
        read.lines.map(({ text }) => text),
        ["Table 20.00", "Chair 30.00"]
      )
      const amount = read.lines[0]?.words?.[1]?.bbox
      assert.closeTo(amount?.y ?? 0, 100 + down, 0.02)
      assert.closeTo(amount?.x ?? 0, 550, 0.02)
      assert.deepStrictEqual("slant" in read ? read.slant : undefined, { turns: 0, skew: 0.9 })
    })
  )
})

/** The turns that are tried of a page that is read well at first, and how it is taken; `upsideDown` is read then. */
const takenOf = (first: Recognition, upsideDown: Recognition) =>
  Effect.gen(function* () {
    const tried: Array<Turns> = []
    const pictureOf = (turns: Turns) => {
      tried.push(turns)
      return Effect.succeed(pictureTurned(turns))
    }
    const page = yield* recognisePage(
      { pageNumber: 1, width: 595, height: 842, lines: [] },
      pictureOf,
      ({ pixels }) => Effect.succeed(pixels[0] === 0 ? first : upsideDown)
    )
    return { tried, turns: page.slant?.turns ?? 0 }
  })

const reading = (text: string, mayBeTurned: boolean): Recognition => ({
  words: [...text.matchAll(/\S+/gu)].map((match) => ({
    text: match[0],
    confidence: 0.95,
    bbox: { x: 10 * match.index, y: 0, w: 10 * match[0].length, h: 12 }
  })),
  mayBeTurned
})

describe("a page in a script that Latin letters upside down look like", () => {
  const latin = reading("This is a lot of text to test the code", false)

  it.effect("is upside down where more letters are read that way", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* takenOf(reading("อนุ เอส อเท", true), latin), { tried: [0, 2], turns: 2 })
    })
  )

  it.effect("is in that script where more letters are read as it is", () =>
    Effect.gen(function* () {
      const thai = reading("ใบกำกับภาษี บริษัทไม้สักทองจำกัด เลขประจำตัวผู้เสียภาษี", true)
      assert.deepStrictEqual(yield* takenOf(thai, reading("bEc oie", false)), { tried: [0, 2], turns: 0 })
    })
  )

  it.effect("is tried no second time in another script", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* takenOf(latin, latin), { tried: [0], turns: 0 })
    })
  )
})
