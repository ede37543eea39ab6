import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, UndefinedOr } from "effect"
import { createCipheriv } from "node:crypto"
import sharp from "sharp"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { encodePicture } from "../../src/document/scan/EncodePicture.ts"
import { mostPictureBytes } from "../../src/document/scan/PagePicture.ts"
import { drawPdf, linesAt } from "./DrawPdf.ts"
import { picturePdf, scanPage } from "./Scans.ts"
import { defined } from "../../src/support/Defined.ts"
import { sharedReader } from "../support/SharedReader.ts"

const a4 = { width: 595, height: 842 }
const letter = drawPdf([{ texts: linesAt(72, 100, ["Harbour Street Bakery"], 16), ...a4 }])
/** Bytes that compress to nothing less, the same in every run. */
const noiseBytes = (count: number): Uint8Array => {
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16))
  return new Uint8Array(cipher.update(Buffer.alloc(count)))
}

const scan = letter.then((pdf) => scanPage(pdf))

/** What a picture decodes to, and how dark its top and its bottom half are (0–255). */
const seen = async (bytes: Uint8Array) => {
  const { format, width, height, channels } = await sharp(bytes).metadata()
  const half = (top: number) =>
    sharp(bytes)
      .extract({ left: 0, top, width, height: Math.floor(height / 2) })
      .toBuffer()
      .then((part) => sharp(part).stats())
      .then(({ channels: [gray] }) => 255 - (gray?.mean ?? 0))
  const [top, bottom] = [await half(0), await half(Math.ceil(height / 2))]
  return { format, width, height, channels, top, bottom }
}

layer(sharedReader, { excludeTestServices: true })("pictures of pages", (it) => {
  const pictureOf = Effect.fnUntraced(function* (
    bytes: Uint8Array,
    mimeType: string,
    page: { readonly width: number; readonly height: number; readonly turns?: 2; readonly number?: number }
  ) {
    const reader = yield* DocumentReader
    const make = yield* reader.pictures(bytes, mimeType)
    const { number = 1, turns, ...size } = page
    return yield* make({
      ...size,
      pageNumber: number,
      ...defined({ slant: UndefinedOr.map(turns, (count) => ({ turns: count })) })
    })
  }, Effect.scoped)

  it.effect("are gray JPEGs, 1568 pixels at the longest side", () =>
    Effect.gen(function* () {
      const pdf = yield* Effect.promise(async () => picturePdf([await scan]))
      const picture = yield* pictureOf(pdf, "application/pdf", a4)
      const found = yield* Effect.promise(() => seen(picture.bytes))
      assert.deepInclude(found, { format: "jpeg", channels: 1, height: 1568 })
      assert.closeTo(found.width, (1568 * 595) / 842, 2)
      assert.deepInclude(picture, { width: found.width, height: found.height })
      assert.isAbove(found.top, found.bottom + 0.2)
    })
  )

  it.effect("are turned as the text is, also of files that are pictures", () =>
    Effect.gen(function* () {
      const png = yield* Effect.promise(() => scan)
      const picture = yield* pictureOf(png, "image/png", { ...a4, turns: 2 })
      const found = yield* Effect.promise(() => seen(picture.bytes))
      assert.strictEqual(found.height, 1568)
      assert.isAbove(found.bottom, found.top + 0.2)
    })
  )

  it.effect("are not made larger than their original, nor drawn finer than 200 dots per inch", () =>
    Effect.gen(function* () {
      const card = yield* Effect.promise(() => drawPdf([{ texts: [], width: 144, height: 72 }]))
      const drawn = yield* pictureOf(card, "application/pdf", { width: 144, height: 72 })
      assert.deepInclude(drawn, { width: 400, height: 200 })
      const png = yield* Effect.promise(() =>
        sharp({ create: { width: 300, height: 90, channels: 3, background: "#777" } })
          .png()
          .toBuffer()
      )
      const kept = yield* pictureOf(png, "image/png", { width: 108, height: 32 })
      assert.deepInclude(kept, { width: 300, height: 90 })
    })
  )

  it.effect("of a page that is metres wide are drawn small", () =>
    Effect.gen(function* () {
      const size = { width: 14_000, height: 9_000 }
      const plan = yield* Effect.promise(() => drawPdf([{ texts: [], ...size }]))
      const { width, height } = yield* pictureOf(plan, "application/pdf", size)
      assert.deepStrictEqual({ width, height }, { width: 1568, height: 1008 })
    })
  )

  it.effect("are refused with a reason where there is no such page, or none has a picture", () =>
    Effect.gen(function* () {
      const pdf = yield* Effect.promise(() => letter)
      const missing = yield* Effect.flip(pictureOf(pdf, "application/pdf", { ...a4, number: 7 }))
      assert.strictEqual(missing.message, "The page is missing or damaged.")
      const text = yield* Effect.flip(pictureOf(Buffer.from("only text"), "text/plain", a4))
      assert.strictEqual(text.message, "The document has no pictures of its pages.")
    })
  )

  it.effect("are given up when nobody waits for them, and the next document is read", () =>
    Effect.gen(function* () {
      const noise = yield* Effect.promise(() =>
        sharp(noiseBytes(36_000_000), { raw: { width: 6000, height: 6000, channels: 1 } })
          .png()
          .toBuffer()
      )
      const job = yield* Effect.forkChild(pictureOf(noise, "image/png", a4))
      yield* Effect.sleep(100)
      yield* Fiber.interrupt(job)
      const pdf = yield* Effect.promise(() => letter)
      assert.strictEqual((yield* pictureOf(pdf, "application/pdf", a4)).height, 1568)
    })
  )
})

describe("a picture that does not become small", () => {
  it("is made coarser, and then smaller, until it has few enough bytes", async () => {
    const [width, height] = [1568, 1568]
    const noise = { width, height, dpi: 200, pixels: noiseBytes(width * height) }
    const usual = await encodePicture(noise, 0)
    assert.isAtMost(usual.bytes.length, mostPictureBytes)
    const tiny = await encodePicture(noise, 0, 20_000)
    assert.isAtMost(tiny.bytes.length, 20_000)
    assert.isBelow(tiny.width, width)
    assert.strictEqual((await sharp(tiny.bytes).metadata()).width, tiny.width)
  })
})
