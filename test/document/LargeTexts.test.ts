import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { pptx } from "./OfficeFiles.ts"
import { Ocr } from "../../src/providers/ocr/Ocr.ts"

const reader = DocumentReader.layerWith({ processes: 1 }).pipe(Layer.provide(Ocr.layerOff))

layer(reader, { excludeTestServices: true })("large documents of text", (it) => {
  it.effect("are read whole: a CSV of 25,000 rows and 20 columns", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const csv = Array.from({ length: 25_000 }, (_, row) =>
        Array.from({ length: 20 }, (_, column) => `r${row}c${column}`).join(",")
      ).join("\n")
      const { pages } = yield* reader.read(Buffer.from(csv), { mimeType: "text/csv" })
      assert.isUndefined(pages[0]?.problem)
      const [table] = pages[0]?.tables ?? []
      if (table === undefined) return assert.fail("there is no table")
      assert.strictEqual(table.rows.length, 25_000)
      assert.strictEqual(table.rows.at(-1)?.at(-1)?.text, "r24999c19")
      assert.strictEqual(pages[0]?.lines.at(-1)?.words?.at(-1)?.text, "r24999c19")
    })
  )

  it.effect(
    "cost as much as printed pages of 3,000 characters; slides and small texts cost a page each",
    () =>
      Effect.gen(function* () {
        const reader = yield* DocumentReader
        const inspected = (text: string, mimeType: string) => reader.inspect(Buffer.from(text), { mimeType })
        const csv = "0123456789,0123456789\n".repeat(1000)
        assert.deepStrictEqual(yield* inspected(csv, "text/csv"), {
          mimeType: "text/csv",
          pageCount: 1,
          creditPages: Math.ceil((20 * 1000) / 3000)
        })
        const { creditPages } = yield* inspected("a note", "text/plain")
        assert.strictEqual(creditPages, 1)
        const slides = yield* reader.inspect(pptx(["One", "Two"]))
        assert.deepStrictEqual([slides.pageCount, slides.creditPages], [2, undefined])
      })
  )

  it.effect("are refused with the limit when they are too large, not read as empty", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const read = reader.read(Buffer.from("word ".repeat(800_001)), { mimeType: "text/plain" })
      const error = yield* Effect.flip(read)
      assert.strictEqual(error._tag, "UnreadableDocument")
      assert.include(error.message, "more than 800000 words")
    })
  )
})
