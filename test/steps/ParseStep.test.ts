import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { failureCode, type StepContext } from "../../dsl/StepKind.ts"
import type { DocumentRef } from "../../src/domain/Document.ts"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { Blobs } from "../../src/providers/Blobs.ts"
import * as MemoryBlobs from "../../src/providers/MemoryBlobs.ts"
import { Ocr } from "../../src/providers/Ocr.ts"
import { parse } from "../../src/steps/Parse.ts"
import { drawPdf, linesAt } from "../document/DrawPdf.ts"

const told: Array<number> = []
const context: StepContext = {
  executionId: "e",
  path: "read",
  environment: "test",
  progress: (fraction) => Effect.sync(() => void told.push(fraction))
}

const keep = Effect.fnUntraced(function* (bytes: Uint8Array, pageCount: number) {
  const blobs = yield* Blobs
  const blob = yield* blobs.put(bytes)
  const document: DocumentRef = { blob, mimeType: "application/pdf", size: bytes.length, pageCount }
  return document
})

layer(Layer.mergeAll(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)), MemoryBlobs.layer))(
  "parse",
  (it) => {
    it.effect("gives the document, its text and its counts, and tells how far it is", () =>
      Effect.gen(function* () {
        const bytes = yield* Effect.promise(() =>
          drawPdf([
            { texts: linesAt(72, 100, ["Two words", "three"]) },
            { texts: linesAt(72, 100, ["last page"]) }
          ])
        )
        const document = yield* keep(bytes, 2)
        const output = yield* parse.run({ document }, context)
        assert.strictEqual(output.text, "Two words\nthree\n\flast page")
        assert.deepStrictEqual([output.pageCount, output.wordCount], [2, 5])
        assert.deepStrictEqual(told, [0.5, 1])
      })
    )

    it.effect("reads only the pages asked for", () =>
      Effect.gen(function* () {
        const bytes = yield* Effect.promise(() =>
          drawPdf(["one", "two", "three"].map((text) => ({ texts: linesAt(72, 100, [text]) })))
        )
        const document = yield* keep(bytes, 3)
        const output = yield* parse.run({ document, pages: { from: 2, to: 9 } }, context)
        assert.strictEqual(output.text, "two\n\fthree")
        assert.strictEqual(output.pageCount, 3)
      })
    )

    it.effect("says INVALID_DOCUMENT of bytes that are no document", () =>
      Effect.gen(function* () {
        const document = yield* keep(Buffer.from("%PDF-1.7 and nothing more"), 1)
        const error = yield* Effect.flip(parse.run({ document }, context))
        assert.strictEqual(error._tag, "UnreadableDocument")
        assert.strictEqual(failureCode(parse, error), "INVALID_DOCUMENT")
      })
    )

    it.effect("says when the document is not kept any more", () =>
      Effect.gen(function* () {
        const document: DocumentRef = {
          blob: "0".repeat(64),
          mimeType: "application/pdf",
          size: 1,
          pageCount: 1
        }
        const error = yield* Effect.flip(parse.run({ document }, context))
        assert.strictEqual(error._tag, "DocumentUnavailable")
        assert.strictEqual(failureCode(parse, error), "EXECUTION_FAILED")
      })
    )
  }
)
