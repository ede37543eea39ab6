import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { loadSharp } from "../../src/document/formats/images/Sharp.ts"
import { Ocr, type OcrImage } from "../../src/providers/ocr/Ocr.ts"
import { bitmap, hugePng, hugeTiff, oneBitCmykTiff, twoPageTiff } from "./PictureFiles.ts"

const seen: Array<OcrImage> = []

/** Recognises nothing, and remembers what it was shown. */
const watching = Layer.succeed(Ocr, {
  enabled: true,
  atOnce: 2,
  recognize: (image) =>
    Effect.sync(() => {
      seen.push(image)
      return { words: [] }
    })
})

const read = Effect.fnUntraced(function* (bytes: Uint8Array, mimeType: string) {
  const documents = yield* DocumentReader
  seen.length = 0
  return yield* documents.read(bytes, { mimeType })
})

const make = (format: "png" | "jpeg" | "tiff" | "webp" | "gif" | "avif", density?: number) =>
  Effect.promise(async () => {
    const sharp = await loadSharp()
    const blank = sharp({ create: { width: 1200, height: 1100, channels: 3, background: "#fff" } })
    const picture = density === undefined ? blank : blank.withMetadata({ density })
    return picture.toFormat(format).toBuffer()
  })

layer(DocumentReader.layerWith({ processes: 1 }).pipe(Layer.provide(watching)), {
  excludeTestServices: true
})("pictures", (it) => {
  it.effect("are documents of one page, as large as their resolution says, else as at 200 dpi", () =>
    Effect.gen(function* () {
      for (const format of ["png", "jpeg", "tiff", "webp", "gif", "avif"] as const) {
        assert.include(DocumentReader.formats, `image/${format}`)
        const document = yield* read(yield* make(format), `image/${format}`)
        assert.deepStrictEqual([document.pages[0]?.width, document.pages[0]?.height], [432, 396], format)
        assert.deepStrictEqual([seen[0]?.width, seen[0]?.height], [1200, 1100], format)
      }
      const [page] = (yield* read(yield* make("jpeg", 300), "image/jpeg")).pages
      assert.deepStrictEqual([page?.width, page?.height], [288, 264])
    })
  )

  it.effect("in colour, in CMYK, with 16 bits or see-through arrive gray, on white", () =>
    Effect.gen(function* () {
      const sharp = yield* Effect.promise(loadSharp)
      const red = () => sharp({ create: { width: 1000, height: 1000, channels: 3, background: "#f00" } })
      const clear = sharp({
        create: { width: 1000, height: 1000, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } }
      })
      const cases = [
        [red().png(), "image/png", 40, 150],
        [red().toColourspace("rgb16").png(), "image/png", 40, 150],
        [red().toColourspace("cmyk").jpeg(), "image/jpeg", 40, 150],
        [clear.png(), "image/png", 255, 255]
      ] as const
      for (const [picture, mimeType, least, most] of cases) {
        yield* read(yield* Effect.promise(() => picture.toBuffer()), mimeType)
        const gray = seen[0]?.pixels[500_500] ?? -1
        assert.isTrue(gray >= least && gray <= most, `${gray}`)
      }
    })
  )

  it.effect("of a TIFF are all pages", () =>
    Effect.gen(function* () {
      const document = yield* read(twoPageTiff(), "image/tiff")
      assert.strictEqual(document.extras.pageCount, 2)
      assert.strictEqual(document.pages.length, 2)
    })
  )

  it.effect("in BMP are read, whichever way up they are stored", () =>
    Effect.gen(function* () {
      for (const upwards of [true, false]) {
        yield* read(bitmap(upwards), "image/bmp")
        // Enlarged twice; the upper half is black.
        assert.deepStrictEqual([seen[0]?.width, seen[0]?.height], [16, 16])
        assert.isBelow(seen[0]?.pixels[0] ?? 255, 40)
        assert.isAbove(seen[0]?.pixels.at(-1) ?? 0, 215)
      }
    })
  )

  it.effect("that are bombs, cut off or no pictures are refused with a reason", () =>
    Effect.gen(function* () {
      const cases = [
        [hugePng(), "60000 × 60000"],
        [hugeTiff(), "cannot be read"],
        [oneBitCmykTiff(), "smaller than a byte"],
        [(yield* make("png")).subarray(0, 30), "cannot be read"],
        [Buffer.from("GIF89a"), "cannot be read"],
        [bitmap(true).subarray(0, 60), "cannot be read"]
      ] as const
      for (const [bytes, reason] of cases) {
        const error = yield* Effect.flip(read(bytes, "application/octet-stream"))
        assert.strictEqual(error._tag, "UnreadableDocument")
        assert.include(error.message, reason)
      }
    })
  )
})
