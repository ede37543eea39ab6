/**
 * Measures the memory that reading takes: the peak of the child processes (VmHWM, as the operating system counts) and of
 * this process's heap with the result in hand. Linux only.
 *
 *   node bench/memory.ts [--only pages|scans|bombs|bad|recognised]
 *
 * Every row of `pages`, `scans` and `bombs` has children of its own; the bad files share theirs, as in the service.
 */
import { readdirSync, readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { PDFDocument } from "pdf-lib"
import { DocumentReader, type ReadOptions } from "../src/document/DocumentReader.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"
import { isInstalled } from "../src/providers/ocr/TesseractProgram.ts"
import { drawPdf, linesAt } from "../test/document/DrawPdf.ts"
import { memoryBomb, pageLoop } from "../test/document/HostilePdfs.ts"
import { docx, zip } from "../test/document/OfficeFiles.ts"
import { hugePng } from "../test/document/PictureFiles.ts"
import { scanPage } from "../test/document/Scans.ts"
import { corpus } from "./ReadingScores.ts"

const at = process.argv.indexOf("--only")
const only = at < 0 ? undefined : process.argv[at + 1]

const numberIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(text)?.[1] ?? 0) / 1024

/** MiB that the children of this process have used at most; those that have ended are remembered. */
class Peaks {
  children = 0
  heap = 0
  #timer = setInterval(() => this.look(), 10)

  look(): void {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    this.heap = Math.max(this.heap, (heapUsed + arrayBuffers) / 1024 / 1024)
    const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ")
    for (const pid of pids.filter(Boolean)) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8")
        this.children = Math.max(this.children, numberIn(status, "VmHWM"))
      } catch {
        // It ended between the two looks.
      }
    }
  }

  end(): this {
    this.look()
    clearInterval(this.#timer)
    return this
  }
}

const row = (...cells: ReadonlyArray<string | number>): void =>
  console.log(
    `| ${cells.map((cell) => (typeof cell === "number" ? cell.toFixed(cell < 10 ? 1 : 0) : cell)).join(" | ")} |`
  )

const head = (...names: ReadonlyArray<string>): void => {
  console.log()
  row(...names)
  row(...names.map((_, i) => (i === 0 ? "---" : "--:")))
}

const readWith = Effect.fnUntraced(function* (bytes: Uint8Array, options: Partial<ReadOptions> = {}) {
  const reader = yield* DocumentReader
  const startedAt = performance.now()
  const result = yield* Effect.result(
    reader.read(bytes, { mimeType: "application/octet-stream", ...options })
  )
  const seconds = (performance.now() - startedAt) / 1000
  const said =
    result._tag === "Failure"
      ? result.failure.message
      : (result.success.pages.find((page) => page.problem !== undefined)?.problem ??
        `read, ${result.success.pages.length} pages`)
  return { result, seconds, said }
})

const withOcr = (engine: OcrEngine.OcrEngineOptions["engine"]) =>
  DocumentReader.layer.pipe(Layer.provide(OcrEngine.layer({ engine, languages: ["eng"] })))

/** Reads one document in fresh children; says what it took. */
const measure = (
  name: string,
  bytes: Uint8Array,
  layer: Layer.Layer<DocumentReader> = DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff))
) =>
  Effect.gen(function* () {
    globalThis.gc?.()
    const peaks = new Peaks()
    const { seconds, said } = yield* readWith(bytes)
    peaks.end()
    row(name, bytes.length / 1024 / 1024, peaks.children, peaks.heap, seconds, said)
  }).pipe(Effect.provide(layer))

const columns = ["document", "MiB", "child, MiB", "parent's heap, MiB", "seconds", "answer"]

const prose = Array.from(
  { length: 45 },
  (_, i) => `Line ${i} of a page that has as many words as a letter has`
)

const textPages = (count: number) =>
  Effect.promise(() => drawPdf(Array.from({ length: count }, () => ({ texts: linesAt(60, 60, prose) }))))

const pages = Effect.gen(function* () {
  head(...columns)
  for (const count of [1, 10, 100, 1000]) yield* measure(`${count} pages of text`, yield* textPages(count))
})

/** A PDF whose pages all show the same picture, so that it is as large with many pages; `scale` 1 is A4 at 200 dpi. */
const scanned = (count: number, scale: number) =>
  Effect.promise(async () => {
    const size = { width: 595 * scale, height: 842 * scale }
    const lines = prose.slice(0, Math.round(45 * scale))
    const document = await PDFDocument.create()
    const picture = await document.embedPng(
      await scanPage(await drawPdf([{ texts: linesAt(40, 40, lines), ...size }]))
    )
    for (let i = 0; i < count; i++) document.addPage([size.width, size.height]).drawImage(picture, size)
    return document.save()
  })

const scans = Effect.gen(function* () {
  head(...columns)
  const seen = Layer.succeed(Ocr, {
    enabled: true,
    atOnce: 2,
    recognize: () => Effect.succeed({ words: [] })
  })
  for (const count of [1, 10, 100]) {
    yield* measure(`${count} scanned pages, recognition off`, yield* scanned(count, 1))
  }
  for (const count of [1, 10, 100]) {
    const made = DocumentReader.layer.pipe(Layer.provide(seen))
    yield* measure(`${count} scanned pages, only made into pictures`, yield* scanned(count, 1), made)
  }
  yield* measure("100 small scanned pages, tesseract.js", yield* scanned(100, 0.25), withOcr("tesseract-js"))
})

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
const docxOf = (text: Uint8Array): Uint8Array =>
  zip([
    { name: "[Content_Types].xml", content: `<Types><Override ContentType="${word}.main+xml"/></Types>` },
    { name: "word/document.xml", content: text }
  ])

const bombs = Effect.gen(function* () {
  head(...columns)
  const laughs = `<!DOCTYPE w:document [<!ENTITY a "ha"><!ENTITY b "${"&a;".repeat(50)}"><!ENTITY c "${"&b;".repeat(50)}">]>`
  const gigabyte = 1024 * 1024 * 1024
  const documents: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["Flate of Flate, 1 GiB", memoryBomb(gigabyte)],
    ["page loop", pageLoop()],
    ["PNG of 60,000 × 60,000 pixels", hugePng()],
    ["docx that unfolds to 1 GiB", docxOf(Buffer.alloc(gigabyte, 0x20))],
    ["docx with entities in entities", docx("<w:p><w:r><w:t>&c;</w:t></w:r></w:p>", laughs)]
  ]
  for (const [name, bytes] of documents) yield* measure(name, bytes)
})

const bad = (engine: OcrEngine.OcrEngineOptions["engine"]) =>
  Effect.gen(function* () {
    const peaks = new Peaks()
    const files: Array<{ readonly name: string; readonly seconds: number; readonly said: string }> = []
    for (const name of readdirSync(`${corpus}bad`)) {
      const { seconds, said } = yield* readWith(readFileSync(`${corpus}bad/${name}`))
      files.push({ name, seconds, said })
    }
    peaks.end()
    head(`bad files, recognition by ${engine}`, "child, MiB", "parent's heap, MiB", "seconds, all", "slowest")
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 3)
    row(
      `${files.length} files`,
      peaks.children,
      peaks.heap,
      files.reduce((sum, file) => sum + file.seconds, 0),
      slowest.map(({ name, said, seconds }) => `${name} ${seconds.toFixed(1)} s (${said})`).join("; ")
    )
  }).pipe(Effect.provide(withOcr(engine)))

const recognised = Effect.gen(function* () {
  yield* bad("tesseract-js")
  if (yield* isInstalled) yield* bad("tesseract")
})

const parts = { pages, scans, bombs, bad: bad("off"), recognised }
await Effect.runPromise(
  Effect.forEach(Object.entries(parts), ([name, part]) =>
    only === undefined || only === name ? part : Effect.void
  )
)
