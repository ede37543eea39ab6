/**
 * Measures how well values are found in the documents of the corpus: those of the ground truth that are on the page,
 * with their page and box; and planted ones (a changed figure, another day, another name), of which none may be found.
 *
 *   node bench/grounding.ts [--folders invoices,forms,receipts] [--without .scan.] [--errors]
 *
 * Whether a value is on a page is decided by printing it in every usual form (PrintedForms.ts), not by docflow's own
 * readers. Each planted value comes with the words of the true one as its quote. The corpus is split by the first digit
 * of a file's SHA-256: 0–7 to build on, 8–f only to measure.
 */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect, Layer, Schema } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import type { DocumentIR, Page } from "../src/domain/DocumentIR.ts"
import { pageText } from "../src/domain/LineText.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"
import { fieldOf } from "../src/extraction/lexicon/Field.ts"
import { type Claim, evidenceAt, ground } from "../src/extraction/grounding/Ground.ts"
import { type SearchableText, searchableText } from "../src/extraction/grounding/SearchableText.ts"
import { stands } from "./PrintedForms.ts"
import { defined } from "../src/support/Defined.ts"

const corpus = process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname
const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}

const Scalar = Schema.Union([Schema.String, Schema.Number])
const Row = Schema.Record(Schema.String, Schema.NullOr(Scalar))
const Expected = Schema.Struct({
  fields: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  items: Schema.optionalKey(Schema.Array(Row))
})
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    files: Schema.Array(
      Schema.Struct({ path: Schema.String, sha256: Schema.String, expected: Schema.Unknown })
    )
  })
)

interface Truth {
  readonly name: string
  readonly value: string | number
}

interface Count {
  stand: number
  found: number
  planted: number
  taken: number
  byChance: number
}

const truthsOf = (expected: typeof Expected.Type): ReadonlyArray<Truth> => {
  const isScalar = Schema.is(Scalar)
  const all = [
    ...Object.entries(expected.fields ?? {}),
    ...(expected.items ?? []).flatMap((row) => Object.entries(row))
  ]
  return all.flatMap(([name, value]) => (isScalar(value) && value !== "" ? [{ name, value }] : []))
}

const isDay = (value: string | number): boolean =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/u.test(value)

const fieldFor = ({ name, value }: Truth) =>
  fieldOf(name.replaceAll("_", " "), {
    type: typeof value === "number" ? "money" : isDay(value) ? "date" : "string"
  })

const seconds = 86_400_000
const names = ["Walbruck Logistics", "Hollis & Wren Ltd", "Grünfeld Maschinenbau", "Tessaro Servizi"]

/** Values that look like the true one; which, follows from the name of the file. */
const plantedFor = ({ name, value }: Truth, path: string): ReadonlyArray<string | number> =>
  [0, 1, 2].map((round) => {
    const chance = parseInt(hash("sha256", `${path}/${name}/${value}/${round}`).slice(0, 8), 16)
    if (typeof value === "number") {
      const changed = [...String(value)]
      const places = changed.flatMap((sign, at) => (/\d/u.test(sign) ? [at] : []))
      const at = places[chance % places.length] ?? 0
      changed[at] = String((Number(changed[at]) + 1 + (chance % 9)) % 10)
      return Number(changed.join("")) + (places.length < 3 ? 1000 * (1 + (chance % 89)) + 0.37 : 0)
    }
    if (isDay(value)) {
      return new Date(Date.parse(value) + (1 + (chance % 900)) * seconds).toISOString().slice(0, 10)
    }
    const digits = [...value].flatMap((sign, at) => (/\d/u.test(sign) ? [at] : []))
    if (digits.length < 3) return names[chance % names.length] ?? ""
    const at = digits[chance % digits.length] ?? 0
    const digit = (Number(value.charAt(at)) + 1 + (chance % 9)) % 10
    return `${value.slice(0, at)}${digit}${value.slice(at + 1)}`
  })

/** The words whose middle lies in the box. */
const wordsIn = (page: Page | undefined, box: { x: number; y: number; w: number; h: number }): string =>
  (page?.lines ?? [])
    .flatMap((line) => line.words ?? [])
    .filter(({ bbox }) => {
      const [x, y] = [bbox.x + bbox.w / 2, bbox.y + bbox.h / 2]
      return x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h
    })
    .map(({ text }) => text)
    .join(" ")

const covers = (document: DocumentIR, searchable: SearchableText, truth: Truth): string | undefined => {
  const found = ground(searchable, fieldFor(truth), { value: truth.value })
  if (found === undefined) return "not found"
  const { page, bbox } = evidenceAt(searchable, found.place)
  const own = document.pages.find(({ pageNumber }) => pageNumber === page)
  const inside = bbox === undefined ? "" : wordsIn(own, bbox)
  return stands(inside, truth.value) ? undefined : `the box covers "${inside}"`
}

const errors = process.argv.includes("--errors")

const measure = (
  document: DocumentIR,
  searchable: SearchableText,
  path: string,
  truth: Truth,
  count: Count
): void => {
  const page = document.pages.find((page) => stands(pageText(page), truth.value))
  if (page === undefined) {
    if (errors) console.log(`  ${path} ${truth.name}: "${truth.value}" is on no page`)
    return
  }
  count.stand++
  const wrong = covers(document, searchable, truth)
  if (wrong === undefined) count.found++
  else if (errors) console.log(`! ${path} ${truth.name}: "${truth.value}" ${wrong}`)
  const quote = page.lines.find(({ text }) => stands(text, truth.value))?.text
  for (const value of plantedFor(truth, path)) {
    if (document.pages.some((page) => stands(pageText(page), value))) {
      count.byChance++
      continue
    }
    count.planted++
    const claim: Claim = { value, page: page.pageNumber, ...defined({ quote }) }
    const found = ground(searchable, fieldFor(truth), claim)
    if (found === undefined) continue
    count.taken++
    if (errors) console.log(`! ${path} ${truth.name}: planted "${value}" was found in "${found.place.text}"`)
  }
}

const line = (name: string, { stand, found, planted, taken, byChance }: Count): string =>
  `${name.padEnd(20)} ${String(stand).padStart(5)} ${String(found).padStart(5)} ${((100 * found) / Math.max(1, stand)).toFixed(1).padStart(7)} % ${String(planted).padStart(8)} ${String(taken).padStart(8)} ${String(byChance).padStart(9)}`

const program = Effect.gen(function* () {
  const folders = option("folders", "invoices,forms,receipts").split(",")
  const { files } = Schema.decodeUnknownSync(Manifest)(readFileSync(`${corpus}manifest.json`, "utf8"))
  const reader = yield* DocumentReader
  const counts = new Map<string, Count>()
  let milliseconds = 0
  let documents = 0
  yield* Effect.forEach(
    files.filter(
      ({ path }) =>
        folders.some((folder) => path.startsWith(`${folder}/`)) && !path.includes(option("without", "\0"))
    ),
    Effect.fnUntraced(function* ({ path, sha256, expected }) {
      const truths = truthsOf(Schema.decodeUnknownSync(Expected)(expected))
      const mimeType = path.endsWith(".pdf") ? "application/pdf" : "image/jpeg"
      const document = yield* reader
        .read(readFileSync(corpus + path), { mimeType })
        .pipe(Effect.catch((error) => Effect.sync(() => console.log(`${path}: ${error.message}`))))
      if (document === undefined) return
      const half = parseInt(sha256.slice(0, 1), 16) < 8 ? "build" : "measure"
      const key = `${path.split("/")[0]}, ${half}`
      const count = counts.get(key) ?? { stand: 0, found: 0, planted: 0, taken: 0, byChance: 0 }
      counts.set(key, count)
      const fields = truths.map(fieldFor)
      const start = performance.now()
      const searchable = yield* searchableText(document, fields, undefined)
      milliseconds += performance.now() - start
      documents++
      for (const truth of truths) measure(document, searchable, path, truth, count)
    }),
    { discard: true }
  )
  console.log("                     stand found   share    planted grounded by chance")
  for (const [name, count] of [...counts].toSorted()) console.log(line(name, count))
  for (const half of ["build", "measure"]) {
    const all = [...counts].filter(([name]) => name.endsWith(half)).map(([, count]) => count)
    const sum = (key: keyof Count) => all.reduce((total, count) => total + count[key], 0)
    console.log(
      line(`all, ${half}`, {
        stand: sum("stand"),
        found: sum("found"),
        planted: sum("planted"),
        taken: sum("taken"),
        byChance: sum("byChance")
      })
    )
  }
  console.log(`a document is made ready to be searched in ${(milliseconds / documents).toFixed(1)} ms`)
})

const engine = option("engine", "tesseract-js") === "tesseract" ? "tesseract" : "tesseract-js"
const ocr = OcrEngine.layer({ engine, languages: ["eng"] })
await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(ocr)))))
