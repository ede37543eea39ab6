/**
 * Measures how faithfully and how fast documents are read, against `pdftotext` and against what the corpus knows.
 *
 *   node bench/reading.ts [--half build|measure|all] [--only text|tables|office|speed|progress]
 *
 * Words: F1 of the multiset of words of a document. Cells: F1 of the multiset of a table's cell texts, the best table of
 * its page taken; neighbours: F1 of pairs of cells next to or below each other, as in the ICDAR competition. Everything
 * is read through the reader as a caller reads it, in its child processes.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { csvRows } from "../src/document/formats/text/CsvRows.ts"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { load } from "../src/document/formats/pdf/Pdf.ts"
import { gridsOf } from "../src/document/tables/TableGrids.ts"
import { documentText } from "../src/domain/DocumentIR.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"
import { drawPdf, linesAt } from "../test/document/DrawPdf.ts"
import { picturePdf, scanPage } from "../test/document/Scans.ts"
import {
  cellsOf,
  common,
  corpus,
  documentsIn,
  type Entry,
  f1,
  fold,
  isMeasured,
  median,
  neighboursOf
} from "./ReadingScores.ts"

const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}
const half = option("half", "all")
const only = option("only", "")

const inHalf = (entry: Entry): boolean => half === "all" || isMeasured(entry) === (half === "measure")
const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const line = (...parts: ReadonlyArray<string | number>): void =>
  console.log(parts.map((part) => (typeof part === "number" ? part.toFixed(3) : part)).join("  "))

const read = Effect.fnUntraced(function* (path: string) {
  const reader = yield* DocumentReader
  const bytes = readFileSync(corpus + path)
  return yield* reader.read(bytes, { mimeType: "application/octet-stream", ocr: "off" })
})

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(" ")
    .filter((word) => word !== "")

const poppler = (path: string, ...options: ReadonlyArray<string>): string =>
  execFileSync("pdftotext", ["-enc", "UTF-8", ...options, corpus + path, "-"], {
    encoding: "utf8",
    maxBuffer: 1e9,
    stdio: ["ignore", "pipe", "ignore"]
  })

/** Born-digital text against pdftotext: what poppler finds no words in is a picture, or needs a password. */
const text = Effect.gen(function* () {
  const scores: Array<number> = []
  const folders = ["pdftext", "tables", "invoices", "forms"]
  for (const entry of folders.flatMap(documentsIn).filter(inHalf)) {
    if (!entry.path.endsWith(".pdf") || entry.expected.password !== undefined) continue
    const expected = yield* Effect.sync(() => poppler(entry.path)).pipe(Effect.exit)
    if (expected._tag === "Failure" || wordsOf(expected.value).length < 5) continue
    const found = yield* Effect.result(read(entry.path))
    const score =
      found._tag === "Failure" ? 0 : f1(wordsOf(expected.value), wordsOf(documentText(found.success)))
    scores.push(score)
    if (score < 0.97) line("  below 0.97", entry.path, score)
  }
  line("text", `${scores.length} PDFs`, "word F1 median", median(scores), "mean", mean(scores))
})

/** The tables of the corpus, those in a drawn grid and those without apart. */
const tables = Effect.gen(function* () {
  const pdf = yield* Effect.promise(load)
  const scores: Array<{ readonly ruled: boolean; readonly cells: number; readonly neighbours: number }> = []
  for (const entry of documentsIn("tables").filter(inHalf)) {
    const { pages } = yield* read(entry.path)
    const raw = yield* Effect.promise(async () => pdf.open(readFileSync(corpus + entry.path)))
    for (const truth of entry.expected.tables ?? []) {
      const { rulings = [] } = yield* Effect.promise(async () => raw.page(truth.page - 1))
      const ruled = gridsOf(rulings).some(({ xs, ys }) => xs.length > 2 && ys.length > 2)
      const rows = csvRows(readFileSync(corpus + truth.table_file, "utf8"), ",")
      const found = (pages[truth.page - 1]?.tables ?? []).map((table) =>
        table.rows.map((row) => row.map((cell) => cell.text))
      )
      const best = found
        .map((found) => ({ found, cells: f1(cellsOf(rows), cellsOf(found)) }))
        .toSorted((a, b) => b.cells - a.cells)[0]
      const cells = best?.cells ?? 0
      const neighbours = best === undefined ? 0 : f1(neighboursOf(rows), neighboursOf(best.found))
      scores.push({ ruled, cells, neighbours })
      line(`  ${truth.table_file.padEnd(44)}`, ruled ? "ruled  " : "unruled", cells, neighbours)
    }
    raw.close()
  }
  for (const ruled of [true, false]) {
    const some = scores.filter((score) => score.ruled === ruled)
    if (some.length === 0) continue
    const cells = some.map((score) => score.cells)
    const neighbours = mean(some.map((score) => score.neighbours))
    line(
      ruled ? "ruled" : "unruled",
      `${some.length} tables`,
      "cell F1 mean",
      mean(cells),
      "median",
      median(cells)
    )
    line("  neighbours F1 mean", neighbours)
  }
})

const letters = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Office and text formats against pandoc, openpyxl and the like; marks and list bullets are left out. */
const office = Effect.gen(function* () {
  const byKind = new Map<string, Array<{ readonly score: number; readonly recall: number }>>()
  for (const entry of documentsIn("office").filter(inHalf)) {
    const { text_file: truth } = entry.expected
    if (truth === undefined) continue
    const kind = entry.path.split(".").at(-1) ?? ""
    const found = yield* Effect.result(read(entry.path))
    if (found._tag === "Failure") {
      line("  not read", entry.path, found.failure.message)
      continue
    }
    // UTF-16 without a mark was taken for UTF-8 by whoever made the truth.
    const expected = letters(readFileSync(corpus + truth, "utf8").replaceAll("\u0000", ""))
    const words = letters(documentText(found.success))
    const score = f1(expected, words)
    const recall = common(expected, words) / Math.max(1, expected.length)
    if (score < 0.9) line("  below 0.9", entry.path, score, "recall", recall)
    byKind.set(kind, [...(byKind.get(kind) ?? []), { score, recall }])
  }
  for (const [kind, scores] of byKind) {
    const recall = median(scores.map((one) => one.recall))
    const f1s = scores.map(({ score }) => score)
    line(
      kind.padEnd(5),
      `${scores.length} files`,
      "word F1 median",
      median(f1s),
      "mean",
      mean(f1s),
      "recall",
      recall
    )
  }
})

const timed = (job: Effect.Effect<unknown, unknown, DocumentReader>) =>
  Effect.gen(function* () {
    const startedAt = performance.now()
    yield* job
    return performance.now() - startedAt
  })

/** A long document, against `pdftotext -bbox` in the same run: medians of five, one after the other. */
const speed = Effect.gen(function* () {
  const long = documentsIn("pdftext").toSorted((a, b) => (b.pages ?? 0) - (a.pages ?? 0))[0]
  if (long === undefined) return
  const [ours, theirs]: [Array<number>, Array<number>] = [[], []]
  yield* Effect.ignore(read(long.path))
  for (let i = 0; i < 5; i++) {
    ours.push(yield* timed(read(long.path)))
    theirs.push(yield* timed(Effect.sync(() => poppler(long.path, "-bbox"))))
  }
  const ratio = median(ours) / median(theirs)
  line(
    "speed",
    long.path,
    `${long.pages} pages, ms`,
    median(ours),
    "pdftotext -bbox",
    median(theirs),
    "ratio",
    ratio
  )
})

/** When a caller hears of the first of 300 pages, and how often; and of the first of 12 scanned ones. */
const progress = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const lines = Array.from(
    { length: 45 },
    (_, i) => `Line ${i} of a page that has as many words as a letter has`
  )
  const page = { texts: linesAt(60, 60, lines) }
  const documents: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["300 pages of text", yield* Effect.promise(() => drawPdf(Array.from({ length: 300 }, () => page)))],
    [
      "12 scanned pages",
      yield* Effect.promise(async () => {
        const png = await scanPage(await drawPdf([page]))
        return picturePdf(Array.from({ length: 12 }, () => png))
      })
    ]
  ]
  for (const [name, bytes] of documents) {
    yield* Effect.ignore(reader.inspect(bytes))
    const startedAt = performance.now()
    const told: Array<number> = []
    const onPage = () => Effect.sync(() => void told.push(performance.now() - startedAt))
    yield* reader.read(bytes, { mimeType: "application/pdf", onPage })
    const all = performance.now() - startedAt
    line("progress", name, "first page, ms", told[0] ?? 0, "last, ms", all, "reports", told.length)
  }
}).pipe(
  Effect.provide(
    // Not the shared layer, which the others have without recognition.
    DocumentReader.layerWith({}).pipe(
      Layer.provide(OcrEngine.layer({ engine: "tesseract-js", languages: ["eng"] }))
    )
  )
)

const parts = { text, tables, office, speed, progress }
const all = Effect.forEach(Object.entries(parts), ([name, part]) =>
  only === "" || only === name ? part : Effect.void
)
await Effect.runPromise(all.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
