import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { PDFDocument } from "pdf-lib"
import { encryptedPdf } from "../fixtures/Encrypted.ts"
import { noPages, notAPdf, truncated } from "../fixtures/Pdfs.ts"
import type { DocumentIR, Word } from "../../src/domain/DocumentIR.ts"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { Ocr } from "../../src/providers/ocr/Ocr.ts"
import { drawPdf, type DrawnPage, linesAt, textWidth } from "./DrawPdf.ts"
import { countingPdf, memoryBomb, slowPage } from "./HostilePdfs.ts"

const pdf = { mimeType: "application/pdf" }
const reader = (options: Parameters<typeof DocumentReader.layerWith>[0]) =>
  DocumentReader.layerWith(options).pipe(Layer.provide(Ocr.layerOff))

const read = Effect.fnUntraced(function* (pages: ReadonlyArray<DrawnPage>) {
  const documents = yield* DocumentReader
  const bytes = yield* Effect.promise(() => drawPdf(pages))
  return yield* documents.read(bytes, pdf)
})

const wordsOf = (document: DocumentIR): ReadonlyArray<Word> =>
  document.pages.flatMap((page) => page.lines.flatMap((line) => line.words ?? []))

const linesOf = (document: DocumentIR): ReadonlyArray<string> =>
  document.pages.flatMap((page) => page.lines.map((line) => line.text))

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/** A page of 288 by 144 points that a picture fills. */
const scannedPdf = async (): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const picture = await document.embedPng(onePixel)
  document.addPage([288, 144]).drawImage(picture, { x: 0, y: 0, width: 288, height: 144 })
  return document.save()
}

/** Recognises one word in every picture, 100 pixels from its left and 50 from its top. */
const oneWord = Layer.succeed(Ocr, {
  enabled: true,
  atOnce: 2,
  recognize: ({ width, height, pixels }) =>
    Effect.succeed({
      words: [
        {
          text: `${width}x${height}=${pixels.length}`,
          bbox: { x: 100, y: 50, w: 200, h: 25 },
          confidence: 0.75
        }
      ]
    })
})

const prose = (side: string) =>
  Array.from({ length: 8 }, (_, i) => `${side} column has words on its line ${i + 1}`)

layer(reader({}), { excludeTestServices: true })("DocumentReader", (it) => {
  it.effect("gives the text, the lines and their offsets", () =>
    Effect.gen(function* () {
      const document = yield* read([{ texts: linesAt(72, 100, ["Hello reader", "Second line"]) }])
      const [page] = document.pages
      assert.strictEqual(page?.source, "text-layer")
      assert.deepStrictEqual(
        page?.lines.map(({ lineId, text, startChar, endChar }) => [lineId, text, startChar, endChar]),
        [
          ["p1_l1", "Hello reader", 0, 12],
          ["p1_l2", "Second line", 13, 24]
        ]
      )
    })
  )

  for (const rotate of [0, 90, 180, 270] as const) {
    it.effect(`puts word boxes where they were drawn, on a page turned by ${rotate}° with a CropBox`, () =>
      Effect.gen(function* () {
        const drawn = { text: "Placed", x: 120, y: 300, size: 20 }
        const document = yield* read([{ texts: [drawn], rotate, offset: { x: 30, y: 70 } }])
        const [page] = document.pages
        const wide = rotate % 180 === 0
        assert.deepStrictEqual([page?.width, page?.height], wide ? [595, 842] : [842, 595])
        const [word] = wordsOf(document)
        assert.strictEqual(word?.text, "Placed")
        const width = yield* Effect.promise(() => textWidth("Placed", 20))
        assert.closeTo(word?.bbox.x ?? 0, 120, 1.5)
        assert.closeTo(word?.bbox.w ?? 0, width, 2.5)
        const top = word?.bbox.y ?? 0
        const bottom = top + (word?.bbox.h ?? 0)
        assert.isTrue(top > 274 && top < 287, `top ${top}`)
        assert.isTrue(bottom >= 299 && bottom < 310, `bottom ${bottom}`)
      })
    )
  }

  it.effect("leaves out what was cropped away", () =>
    Effect.gen(function* () {
      const texts = [
        ...linesAt(72, 100, ["seen"]),
        ...linesAt(620, 100, ["hidden"]),
        ...linesAt(72, 870, ["below"])
      ]
      const document = yield* read([{ texts, offset: { x: 10, y: 60 } }])
      assert.deepStrictEqual(linesOf(document), ["seen"])
    })
  )

  it.effect("reads text that runs up the page in its own direction", () =>
    Effect.gen(function* () {
      const document = yield* read([
        {
          texts: [{ text: "first second third", x: 40, y: 500, angle: 90 }, ...linesAt(100, 100, ["upright"])]
        }
      ])
      assert.deepStrictEqual(linesOf(document), ["upright", "first second third"])
    })
  )

  it.effect("reads the left column before the right one, and a table row by row", () =>
    Effect.gen(function* () {
      const columns = yield* read([
        { texts: [...linesAt(60, 100, prose("Left")), ...linesAt(320, 100, prose("Right"))] }
      ])
      assert.deepStrictEqual(linesOf(columns), [...prose("Left"), ...prose("Right")])
      const table = yield* read([
        {
          texts: [
            ...linesAt(60, 100, ["Item", "Paper", "Pens", "Ink", "Glue", "Tape"]),
            ...linesAt(300, 100, ["Price", "1.00", "2.00", "3.00", "4.00", "5.00"])
          ]
        }
      ])
      assert.deepStrictEqual(linesOf(table)[1], "Paper 1.00")
    })
  )

  it.effect("does not trust the number of pages that a file claims", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      for (const claimed of [1, 0, 7, 1_000_000]) {
        const { pageCount } = yield* documents.inspect(countingPdf(claimed))
        assert.strictEqual(pageCount, 1, `claimed ${claimed}`)
      }
    })
  )

  it.effect("reads a range of pages and tells how far it is", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const pages = Array.from({ length: 5 }, (_, i) => ({ texts: linesAt(72, 100, [`Page ${i + 1}`]) }))
      const bytes = yield* Effect.promise(() => drawPdf(pages))
      const told: Array<string> = []
      const document = yield* documents.read(bytes, {
        ...pdf,
        pages: { from: 2, to: 4 },
        onPage: (done, total) => Effect.sync(() => told.push(`${done}/${total}`))
      })
      assert.deepStrictEqual(linesOf(document), ["Page 2", "Page 3", "Page 4"])
      assert.deepStrictEqual(told, ["1/3", "2/3", "3/3"])
      assert.strictEqual(document.extras.pageCount, 5)
      assert.strictEqual(document.pages[0]?.pageNumber, 2)
    })
  )

  it.effect("lists a page of pictures as unread while recognition is off, and a blank page as read", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const blank = yield* read([{ texts: [] }])
      assert.deepInclude(blank.pages[0], { source: "text-layer", lines: [] })
      const scanned = yield* documents.read(yield* Effect.promise(scannedPdf), pdf)
      assert.strictEqual(scanned.pages[0]?.source, "none")
      assert.include(scanned.pages[0]?.problem ?? "", "DOCFLOW_OCR")
    })
  )

  it.effect("takes the type from the bytes, not from what was declared", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const bytes = countingPdf(1)
      const named = yield* documents.inspect(bytes, {
        mimeType: "application/octet-stream",
        filename: "a.png"
      })
      assert.deepStrictEqual(named, { mimeType: "application/pdf", pageCount: 1 })
      const declared = yield* Effect.flip(documents.inspect(bytes, { mimeType: "image/png" }))
      assert.include(declared.message, "declared as image/png")
      const other = yield* Effect.flip(documents.inspect(Buffer.from("fLaC\0\0\0\x22")))
      assert.include(other.message, "flac")
    })
  )

  it.effect("refuses what cannot be read, with a reason", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const whole = yield* Effect.promise(() => drawPdf([{ texts: linesAt(72, 100, ["whole"]) }]))
      const cases: ReadonlyArray<readonly [Uint8Array, string]> = [
        [new Uint8Array(0), "empty"],
        [notAPdf(), "damaged"],
        [Buffer.from([1, 2, 3, 0, 250, 4, 5, 6]), "not of any known"],
        [truncated(whole), "damaged"],
        [noPages(), "no pages"],
        [encryptedPdf(), "protected by a password"]
      ]
      for (const [bytes, reason] of cases) {
        const error = yield* Effect.flip(documents.read(bytes, { mimeType: "application/octet-stream" }))
        assert.strictEqual(error._tag, "UnreadableDocument")
        assert.include(error.message, reason)
      }
      assert.deepStrictEqual(linesOf(yield* documents.read(whole, pdf)), ["whole"])
    })
  )
})

describe("DocumentReader with recognition", () => {
  it.live(
    "hands pictures of scanned pages over, small ones enlarged, and puts what is recognised on the page",
    () =>
      Effect.gen(function* () {
        const documents = yield* DocumentReader
        const bytes = yield* Effect.promise(scannedPdf)
        const document = yield* documents.read(bytes, pdf)
        assert.strictEqual(document.pages[0]?.source, "ocr")
        assert.deepStrictEqual(wordsOf(document), [
          { text: "1600x800=1280000", bbox: { x: 18, y: 9, w: 36, h: 4.5 }, confidence: 0.75 }
        ])
        const off = yield* documents.read(bytes, { ...pdf, ocr: "off" })
        assert.strictEqual(off.pages[0]?.source, "none")
      }).pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(oneWord))))
  )
})

describe("DocumentReader under attack", () => {
  const small = countingPdf(1)

  it.live("ends a child that needs too much memory, and reads the next file", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const error = yield* Effect.flip(documents.read(memoryBomb(200 * 1024 * 1024), pdf))
      assert.strictEqual(error._tag, "UnreadableDocument")
      assert.deepStrictEqual(linesOf(yield* documents.read(small, pdf)), ["one page"])
    }).pipe(Effect.provide(reader({ processes: 1, memoryMiB: 150 })))
  )

  it.live("ends a child that takes too long, and reads the next file", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const error = yield* Effect.flip(documents.read(slowPage(), pdf))
      assert.include(error.message, "too long")
      assert.deepStrictEqual(linesOf(yield* documents.read(small, pdf)), ["one page"])
    }).pipe(Effect.provide(reader({ processes: 1, pageLimit: 2_000 })))
  )

  it.live("frees the child of a job that is interrupted", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const job = yield* Effect.forkChild(documents.read(slowPage(), pdf))
      yield* Effect.sleep(200)
      yield* Fiber.interrupt(job)
      // Sooner than the page that was given up would be.
      const quick = documents.read(small, pdf).pipe(Effect.timeout("50 seconds"))
      assert.deepStrictEqual(linesOf(yield* quick), ["one page"])
    }).pipe(Effect.provide(reader({ processes: 1, pageLimit: 60_000 })))
  )

  it.live("refuses more pages than its limit", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const bytes = yield* Effect.promise(() =>
        drawPdf(Array.from({ length: 4 }, () => ({ texts: linesAt(72, 100, ["page"]) })))
      )
      const error = yield* Effect.flip(documents.inspect(bytes))
      assert.include(error.message, "4 pages")
    }).pipe(Effect.provide(reader({ processes: 1, maxPages: 3 })))
  )
})
