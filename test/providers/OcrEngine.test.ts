import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { fileURLToPath } from "node:url"
import * as OcrEngine from "../../src/providers/ocr/OcrEngine.ts"
import { Ocr, type OcrImage } from "../../src/providers/ocr/Ocr.ts"
import * as TesseractProgram from "../../src/providers/ocr/TesseractProgram.ts"
import { drawPdf, linesAt } from "../document/DrawPdf.ts"
import { grayPage } from "../document/Scans.ts"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"

const installed = Effect.runSync(TesseractProgram.isInstalled)

/** `Ink` begins at 50 points, its baseline at 60: 139 and 167 pixels. */
const picture = Effect.promise(async (): Promise<OcrImage> =>
  grayPage(await drawPdf([{ texts: linesAt(50, 60, ["Ink and paper"], 18), width: 250, height: 120 }]))
)

const recognized = Effect.gen(function* () {
  const ocr = yield* Ocr
  return (yield* ocr.recognize(yield* picture)).words
})

const withEngine = (engine: OcrEngine.OcrEngineOptions["engine"], ...languages: ReadonlyArray<string>) =>
  Effect.provide(OcrEngine.layer({ engine, languages }))

for (const engine of ["tesseract-js", "tesseract", "auto"] as const) {
  const skipped = engine === "tesseract" && !installed
  describe.skipIf(skipped)(
    `the engine ${engine}${skipped ? " (skipped: tesseract is not installed)" : ""}`,
    () => {
      it.live("gives the words, their boxes in pixels and how sure it is", () =>
        Effect.gen(function* () {
          const words = yield* recognized
          assert.deepStrictEqual(
            words.map(({ text }) => text),
            ["Ink", "and", "paper"]
          )
          const [ink] = words
          assert.closeTo(ink?.bbox.x ?? 0, 139, 6)
          assert.closeTo((ink?.bbox.y ?? 0) + (ink?.bbox.h ?? 0), 167, 6)
          assert.isTrue((ink?.confidence ?? 0) > 0.8 && (ink?.confidence ?? 2) <= 1)
        }).pipe(withEngine(engine, "eng"))
      )

      it.live("says which language it has no data for", () =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(recognized)
          assert.strictEqual(failure._tag, "OcrUnavailable")
          assert.include(failure.message, "tlh")
          assert.include(failure.message, "DOCFLOW_OCR_LANGUAGES")
        }).pipe(withEngine(engine, "eng", "tlh"))
      )
    }
  )
}

describe("an engine that is missing", () => {
  it.live("is named, with what to do", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const path = process.env["PATH"]
        process.env["PATH"] = fileURLToPath(new URL(".", import.meta.url))
        return path
      }),
      () =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(recognized)
          assert.include(failure.message, "The program tesseract")
          assert.include(failure.message, "DOCFLOW_OCR")
        }).pipe(withEngine("tesseract", "eng")),
      (path) =>
        Effect.sync(() => {
          process.env["PATH"] = path
        })
    )
  )
})

describe("an engine at work", () => {
  it.live("stops when it is interrupted, and works again", () =>
    Effect.gen(function* () {
      const ocr = yield* Ocr
      const page = yield* Effect.promise(async () => grayPage((await makeInvoice(exampleInvoice)).bytes))
      yield* recognized
      const [whole] = yield* Effect.timed(ocr.recognize(page))
      const job = yield* Effect.forkChild(ocr.recognize(page))
      yield* Effect.sleep(Duration.times(whole, 0.25))
      const [stopping] = yield* Effect.timed(Fiber.interrupt(job))
      assert.isBelow(Duration.toMillis(stopping), Duration.toMillis(whole) / 2)
      assert.strictEqual((yield* recognized).length, 3)
    }).pipe(withEngine("tesseract-js", "eng"))
  )
})
