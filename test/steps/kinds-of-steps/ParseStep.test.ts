import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { failureCode, type StepContext } from "../../../dsl/model/StepKind.ts"
import type { DocumentRef } from "../../../src/domain/Document.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { parse } from "../../../src/steps/Parse.ts"
import { drawPdf, linesAt } from "../../document/DrawPdf.ts"
import { picturePdf, scanPage } from "../../document/Scans.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const told: Array<number> = []
const context: StepContext = {
  executionId: "e",
  path: "read",
  environment: "test",
  progress: (fraction) => Effect.sync(() => void told.push(fraction))
}

const keep = Effect.fnUntraced(function* (bytes: Uint8Array, pageCount: number) {
  const documents = yield* LocalDocuments
  const blob = yield* documents.keep("e", bytes)
  const document: DocumentRef = { blob, mimeType: "application/pdf", size: bytes.length, pageCount }
  return document
})

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer))("parse", (it) => {
  it.effect("is given documents whose names are made on a thread if they are large", () =>
    Effect.gen(function* () {
      const documents = yield* LocalDocuments
      const atOnce = (bytes: number) =>
        Exit.isSuccess(Effect.runSyncExit(Effect.scoped(documents.keep("large", new Uint8Array(bytes)))))
      assert.deepStrictEqual([atOnce(1000), atOnce(2_000_000)], [true, false])
    })
  )

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
      assert.deepStrictEqual(output.warnings, [])
    })
  )

  it.effect("warns if the document has none of the pages asked for", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() => drawPdf([{ texts: linesAt(72, 100, ["one"]) }]))
      const document = yield* keep(bytes, 1)
      const output = yield* parse.run({ document, pages: { from: 2, to: 9 } }, context)
      const warnings = ["No page was read: `pages` begins at page 2, but there is 1 page."]
      assert.deepStrictEqual([output.text, output.warnings], ["", warnings])
      assert.deepPropertyVal(parse.artifact?.(output), "warnings", warnings)
    })
  )

  it.effect("reads no page of a computed range that is empty, and warns", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() =>
        drawPdf(["one", "two"].map((text) => ({ texts: linesAt(72, 100, [text]) })))
      )
      const document = yield* keep(bytes, 2)
      const output = yield* parse.run({ document, pages: { from: 2, to: 1 } }, context)
      const warnings = ["No page was read: `pages` ends at page 1, before it begins at page 2."]
      assert.deepStrictEqual([output.text, output.warnings], ["", warnings])
    })
  )

  it.effect("reads only the part of the document that the flow is run on", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() =>
        drawPdf(["one", "two", "three", "four"].map((text) => ({ texts: linesAt(72, 100, [text]) })))
      )
      const whole = yield* keep(bytes, 4)
      const document: DocumentRef = { ...whole, pageCount: 2, pages: { from: 2, to: 3 } }
      const part = yield* parse.run({ document }, context)
      assert.strictEqual(part.text, "two\n\fthree")
      assert.strictEqual(part.pageCount, 2)
      const second = yield* parse.run({ document, pages: { from: 2, to: 9 } }, context)
      assert.strictEqual(second.text, "three")
    })
  )

  it.effect("takes what was read before as it is, without the bytes", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() =>
        drawPdf(["one", "two"].map((text) => ({ texts: linesAt(72, 100, [text]) })))
      )
      const { document: read } = yield* parse.run({ document: yield* keep(bytes, 2) }, context)
      const document: DocumentRef = {
        blob: "0".repeat(64),
        mimeType: "application/pdf",
        size: 1,
        pageCount: 2,
        read
      }
      const again = yield* parse.run({ document }, context)
      assert.strictEqual(again.document, read)
      const second = yield* parse.run({ document, pages: { from: 2, to: 2 } }, context)
      assert.strictEqual(second.text, "two")
    })
  )

  it.effect("lists a page that cannot be read, or fails where the flow says so", () =>
    Effect.gen(function* () {
      const png = yield* Effect.promise(async () =>
        scanPage(await drawPdf([{ texts: linesAt(72, 100, ["a picture"]) }]), { dpi: 50 })
      )
      const document = yield* keep(yield* Effect.promise(() => picturePdf([png], 50)), 1)
      const output = yield* parse.run({ document }, context)
      assert.include(output.document.pages[0]?.problem ?? "", "recognition is off")
      assert.match(output.warnings.join(), /^Page 1 could not be read: .*recognition is off/u)
      const error = yield* Effect.flip(parse.run({ document, unreadPages: "fail" }, context))
      assert.include(error.message, "Page 1 was not read")
      assert.strictEqual(failureCode(parse, error), "INVALID_DOCUMENT")
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

  it.effect("says when the execution has no such document", () =>
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
})
