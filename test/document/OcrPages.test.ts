import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import type { Page, Word } from "../../src/domain/DocumentIR.ts"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import * as OcrEngine from "../../src/providers/ocr/OcrEngine.ts"
import { fieldOf } from "../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../src/extraction/rules/Rules.ts"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"
import { drawPdf, linesAt } from "./DrawPdf.ts"
import { picturePdf, scanPage, type ScanOptions } from "./Scans.ts"

const recognising = DocumentReader.layerWith({ processes: 1 }).pipe(
  Layer.provide(OcrEngine.layer({ engine: "tesseract-js", languages: ["eng"] }))
)

const wordsOf = (page: Page | undefined): ReadonlyArray<Word> =>
  page?.lines.flatMap((line) => line.words ?? []) ?? []

const lines = [
  "Harbour Street Bakery and Coffee",
  "Two loaves of bread, one cake",
  "Paid in full with thanks"
]
const letterPdf = drawPdf([{ texts: linesAt(72, 100, lines, 16), width: 420, height: 300 }])

const scanned = Effect.fnUntraced(function* (options: ScanOptions) {
  const documents = yield* DocumentReader
  const bytes = yield* Effect.promise(async () => scanPage(await letterPdf, options))
  const document = yield* documents.read(bytes, { mimeType: `image/${options.format ?? "png"}` })
  return document.pages[0]
})

/** Where the word `Paid` was drawn: at (72, 141.6), the baseline. */
const isWhereDrawn = (word: Word | undefined, within = 4) => {
  assert.closeTo(word?.bbox.x ?? 0, 72, within)
  assert.closeTo((word?.bbox.y ?? 0) + (word?.bbox.h ?? 0), 141.6, within)
}

layer(recognising, { excludeTestServices: true })("recognition", (it) => {
  it.effect("finds the words of a scanned page, page by page, with their positions", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const bytes = yield* Effect.promise(async () => {
        const png = await scanPage(await letterPdf)
        return picturePdf([png])
      })
      const document = yield* documents.read(bytes, { mimeType: "application/pdf" })
      const [page] = document.pages
      assert.strictEqual(page?.source, "ocr")
      assert.deepStrictEqual(
        page?.lines.map((line) => line.text),
        lines
      )
      const paid = wordsOf(page).find(({ text }) => text === "Paid")
      isWhereDrawn(paid)
      assert.isAbove(paid?.confidence ?? 0, 0.8)
    })
  )

  it.effect("reads a picture that its camera held sideways, and gives places as it is shown", () =>
    Effect.gen(function* () {
      const page = yield* scanned({ format: "jpeg", turned: 270, orientation: 6 })
      assert.closeTo(page?.width ?? 0, 420, 1)
      assert.closeTo(page?.height ?? 0, 300, 1)
      isWhereDrawn(wordsOf(page).find(({ text }) => text === "Paid"))
    })
  )

  it.effect("straightens what lay askew, and gives places on the page as it is", () =>
    Effect.gen(function* () {
      const page = yield* scanned({ turned: 4 })
      assert.deepStrictEqual(
        page?.lines.map((line) => line.text),
        lines
      )
      const words = wordsOf(page)
      const [first, last] = [
        words.find(({ text }) => text === "Harbour"),
        words.find(({ text }) => text === "Coffee")
      ]
      // Turned clockwise: the line falls by its length times the sine of the angle.
      const fall = (last?.bbox.y ?? 0) - (first?.bbox.y ?? 0)
      const run = (last?.bbox.x ?? 0) - (first?.bbox.x ?? 0)
      assert.closeTo(fall / run, Math.tan((4 * Math.PI) / 180), 0.02)
    })
  )

  it.effect("reads a page that lies on its head, or on its side", () =>
    Effect.gen(function* () {
      for (const turned of [180, 90]) {
        const page = yield* scanned({ turned })
        assert.deepStrictEqual(
          page?.lines.map((line) => line.text),
          lines,
          `${turned}°`
        )
      }
    })
  )

  it.effect("gives the fields of a scanned invoice, also where it lies on its side and askew", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const invoice = yield* Effect.promise(() => makeInvoice(exampleInvoice))
      const png = yield* Effect.promise(() => scanPage(invoice.bytes, { turned: 88 }))
      const document = yield* documents.read(png, { mimeType: "image/png" })
      const fields = [
        fieldOf("invoiceNumber", { preset: "invoice.number" }),
        fieldOf("totalAmount", { preset: "invoice.totalAmount" })
      ]
      const found = yield* extractByRules(document, { fields, relations: [] })
      assert.strictEqual(found["invoiceNumber"]?.value, invoice.expected.invoiceNumber)
      assert.strictEqual(found["totalAmount"]?.value, invoice.expected.totalAmount)
    })
  )

  it.effect("stops when it is interrupted, and reads the next page", () =>
    Effect.gen(function* () {
      const documents = yield* DocumentReader
      const png = yield* Effect.promise(async () => scanPage(await letterPdf))
      const read = documents.read(png, { mimeType: "image/png" })
      // A busy machine may be slow at any of them, but not at all.
      let inTime = false
      for (let attempt = 0; attempt < 10 && !inTime; attempt++) {
        const [whole] = yield* Effect.timed(read)
        const job = yield* Effect.forkChild(read)
        yield* Effect.sleep(Duration.times(whole, 0.25))
        const [stopping] = yield* Effect.timed(Fiber.interrupt(job))
        inTime = Duration.toMillis(stopping) < Duration.toMillis(whole) / 2
      }
      assert.isTrue(inTime)
      const page = yield* scanned({})
      assert.strictEqual(page?.lines[0]?.text, lines[0])
    })
  )
})

describe("recognition off", () => {
  layer(DocumentReader.layer.pipe(Layer.provide(OcrEngine.layer({ engine: "off", languages: [] }))), {
    excludeTestServices: true
  })((it) => {
    it.effect("lists a picture as a page with its problem", () =>
      Effect.gen(function* () {
        const page = yield* scanned({})
        assert.strictEqual(page?.source, "none")
        assert.include(page?.problem ?? "", "DOCFLOW_OCR")
      })
    )
  })
})
