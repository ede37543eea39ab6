import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { Ocr, type OcrImage } from "../../src/providers/ocr/Ocr.ts"

const corpus =
  process.env["DOCFLOW_CORPUS"] ?? new URL("../../../shared/corpus/open/", import.meta.url).pathname
const photo = `${corpus}images/photo-photo.heic`
const present = existsSync(photo)

const seen: Array<OcrImage> = []
const reader = DocumentReader.layerWith({ processes: 1 }).pipe(
  Layer.provide(
    Layer.succeed(Ocr, {
      enabled: true,
      atOnce: 1,
      recognize: (image) =>
        Effect.sync(() => {
          seen.push(image)
          return { words: [] }
        })
    })
  )
)

const refusal = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const documents = yield* DocumentReader
  const error = yield* Effect.flip(documents.read(bytes, { mimeType: "image/heif" }))
  return error.message
})

describe("HEIC", () => {
  it.live("is refused where it is damaged", () =>
    Effect.gen(function* () {
      const bare = Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "latin1")
      assert.include(yield* refusal(bare), "damaged or cannot be read")
    }).pipe(Effect.provide(reader))
  )

  // Nothing at hand writes HEIC: the photo is one of the corpus.
  it.live.skipIf(!present)(
    `gives its main picture in gray${present ? "" : " (skipped: ../shared/corpus is not here)"}`,
    () =>
      Effect.gen(function* () {
        const documents = yield* DocumentReader
        const bytes = readFileSync(photo)
        const { pages } = yield* documents.read(bytes, { mimeType: "image/heic" })
        assert.deepStrictEqual([pages[0]?.width, pages[0]?.height], [276.48, 207.36])
        // Black writing on white.
        const [image] = seen
        const pixels = image?.pixels ?? new Uint8Array()
        assert.strictEqual(pixels.length, (image?.width ?? 0) * (image?.height ?? 0))
        const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length
        assert.isTrue(mean > 200 && mean < 250, `${mean}`)
        assert.isTrue(pixels.some((value) => value < 50))
        assert.include(yield* refusal(bytes.subarray(0, bytes.length / 2)), "damaged")
      }).pipe(Effect.provide(reader))
  )
})
