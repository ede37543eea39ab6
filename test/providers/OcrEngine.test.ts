import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Logger } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as OcrEngine from "../../src/providers/ocr/OcrEngine.ts"
import { Ocr, type OcrImage, OcrUnavailable } from "../../src/providers/ocr/Ocr.ts"
import type { PaddleLines } from "../../src/providers/ocr/paddle/PaddleLines.ts"
import * as TesseractProgram from "../../src/providers/ocr/TesseractProgram.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { drawPdf, linesAt } from "../document/DrawPdf.ts"
import { grayPage } from "../document/Scans.ts"

const installed = Effect.runSync(TesseractProgram.isInstalled)
const { mode: sandboxMode } = await Effect.runPromise(Effect.provide(Sandbox, Sandbox.layer))

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

for (const engine of ["tesseract-js", "tesseract", "fast", "paddle", "auto"] as const) {
  const skipped = engine === "tesseract" && !installed
  describe.skipIf(skipped)(`the engine ${engine}${skipped ? " (skipped: it is not installed)" : ""}`, () => {
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

    it.live.skipIf(engine === "paddle")("says which language it has no data for", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(recognized)
        assert.strictEqual(failure._tag, "OcrUnavailable")
        assert.include(failure.message, "tlh")
        assert.include(failure.message, "DOCFLOW_OCR_LANGUAGES")
      }).pipe(withEngine(engine, "eng", "tlh"))
    )
  })
}

/** A picture of lines of text, 14 points high. */
const pictureOf = (lines: ReadonlyArray<string>) =>
  Effect.promise(async () =>
    grayPage(
      await drawPdf([{ texts: linesAt(40, 40, lines, 14), width: 330, height: 60 + 20 * lines.length }])
    )
  )

const german = [
  "Bäckerei Süßmilch, Königstraße 7",
  "Zwischensumme 52,35 €",
  "Rückgeld 7,65 €",
  "Vielen Dank für Ihren Einkauf"
]

describe("two engines as one", () => {
  it.live("read a page in its language, with letters and signs that one of them does not know", () =>
    Effect.gen(function* () {
      const ocr = yield* Ocr
      const { engine, languages, warning, words } = yield* ocr.recognize(yield* pictureOf(german))
      const found = new Set(words.map(({ text }) => text))
      for (const word of ["Süßmilch,", "Königstraße", "52,35", "€", "Rückgeld", "für"])
        assert.isTrue(found.has(word), `${word} in ${[...found].join(" ")}`)
      assert.deepStrictEqual([engine, languages, warning], ["paddle+tesseract-js", ["deu"], undefined])
    }).pipe(withEngine("auto", "auto"))
  )

  it.live("say which package is missing for the language of a page", () =>
    Effect.gen(function* () {
      const ocr = yield* Ocr
      const lines = ["Reikningur", "Dagsetning 12.3.2026", "Samtals 12,40", "Eindagi 20.3.2026", "Takk fyrir"]
      const { languages, warning } = yield* ocr.recognize(yield* pictureOf(lines))
      assert.deepStrictEqual(languages, ["eng"])
      assert.include(warning, "npm install @tesseract.js-data/isl")
    }).pipe(withEngine("auto", "auto"))
  )
})

describe("two engines of which one does not start", () => {
  it.live("are Tesseract alone, and the log says why, once", () =>
    Effect.gen(function* () {
      const said: Array<unknown> = []
      const logger = Logger.make(({ message }) => said.push(message))
      const unavailable = new OcrUnavailable({ message: "Install it." })
      const paddle: PaddleLines = {
        atOnce: 1,
        ready: Effect.fail(unavailable),
        withLines: () => Effect.fail(unavailable)
      }
      const ocr = yield* OcrEngine.makeAuto(paddle, ["eng"])
      const twice = Effect.forEach([1, 2], () => Effect.flatMap(picture, ocr.recognize))
      const [first, second] = yield* Effect.provide(twice, Logger.layer([logger]))
      assert.deepStrictEqual(
        first?.words.map(({ text }) => text),
        ["Ink", "and", "paper"]
      )
      assert.deepStrictEqual(second, first)
      assert.strictEqual(first?.engine, installed ? "tesseract" : "tesseract-js")
      assert.strictEqual(said.length, 1)
      assert.include(String(said[0]), "Install it.")
    }).pipe(Effect.scoped, Effect.provide(Sandbox.layer))
  )
})

/** Does something while programs are looked for in this folder first. */
const withProgramsOf = <A, E, R>(folder: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const path = process.env["PATH"]
      process.env["PATH"] = folder
      return path
    }),
    () => effect,
    (path) =>
      Effect.sync(() => {
        process.env["PATH"] = path
      })
  )

describe("an engine that is missing", () => {
  it.live("is named, with what to do", () =>
    withProgramsOf(
      fileURLToPath(new URL(".", import.meta.url)),
      Effect.gen(function* () {
        const failure = yield* Effect.flip(recognized)
        assert.include(failure.message, "The program tesseract")
        assert.include(failure.message, "DOCFLOW_OCR")
      }).pipe(withEngine("tesseract", "eng"))
    )
  )
})

/** A line of shell that prints a word as Tesseract does. */
const printWord = (word: string) => `printf '5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t90\\t${word}\\n'`

/** A program `tesseract` that says which of these attacks succeed, instead of what is in the picture. */
const hostileProgram = (attacks: Readonly<Record<string, string>>): string =>
  [
    "#!/bin/sh",
    'if [ "$1" = --list-langs ]; then printf "List\\neng\\n"; exit; fi',
    "/bin/cat >/dev/null",
    printWord("ran"),
    ...Object.entries(attacks).map(
      ([name, attack]) => `if ${attack} >/dev/null 2>&1; then ${printWord(name)}; fi`
    ),
    ""
  ].join("\n")

describe.skipIf(sandboxMode === "permissions")(
  `a page that takes over the program tesseract (${sandboxMode})`,
  () => {
    it.live("gets nowhere: it is in the sandbox, with an empty environment", () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "docflow-tesseract-"))),
          (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
        )
        const program = hostileProgram({
          writes: `/usr/bin/touch ${folder}/loot`,
          signals: `kill -0 ${process.pid}`,
          inherits: "/usr/bin/env | /bin/grep ^HOME=",
          reads: `/bin/cat /proc/${process.pid}/environ`
        })
        writeFileSync(join(folder, "tesseract"), program, { mode: 0o755 })
        const words = yield* withProgramsOf(
          folder,
          Effect.provide(recognized, OcrEngine.layer({ engine: "tesseract", languages: ["eng"] }))
        )
        assert.deepStrictEqual(
          words.map(({ text }) => text),
          ["ran"]
        )
      }).pipe(Effect.scoped)
    )
  }
)

describe("an engine at work", () => {
  it.live("stops when it is interrupted, and works again", () =>
    Effect.gen(function* () {
      const ocr = yield* Ocr
      const page = yield* pictureOf([...german, ...german])
      yield* recognized
      // A busy machine may be slow at any of them, but not at all.
      let inTime = false
      for (let attempt = 0; attempt < 10 && !inTime; attempt++) {
        const [whole] = yield* Effect.timed(ocr.recognize(page))
        const job = yield* Effect.forkChild(ocr.recognize(page))
        yield* Effect.sleep(Duration.times(whole, 0.25))
        const [stopping] = yield* Effect.timed(Fiber.interrupt(job))
        inTime = Duration.toMillis(stopping) < Duration.toMillis(whole) / 2
      }
      assert.isTrue(inTime)
      assert.strictEqual((yield* recognized).length, 3)
    }).pipe(withEngine("tesseract-js", "eng"))
  )
})
