/**
 * Measures recognition against the program tesseract at its defaults, on the same pictures and in the same run.
 *
 *   node bench/ocr.ts [--receipts 12] [--pages 12] [--engines auto,fast] [--languages auto|eng] [--half build|measure|all]
 *     [--bare] [--program] [--each] [--save /tmp/texts]
 *
 * Errors: the edit distance of the characters by the length of the truth, at most 1. In its order: the mean of the errors if the
 * paragraphs of the truth may be in another order, as in texts of columns. Words: the share of the truth's
 * words that were found. Total: receipts whose true total is in the text. CPU: milliseconds a picture, of this process
 * and all its children. Every engine reads two pictures at a time. `--bare`: also without the reader's preparation.
 * `--program`: also the program tesseract. `--save`: writes the texts to a folder.
 */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { promisify } from "node:util"
import { Effect, Layer, Schema } from "effect"
import { hash } from "node:crypto"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { documentText } from "../src/domain/DocumentIR.ts"
import { loadSharp } from "../src/document/formats/images/Sharp.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"
import { Ocr, type OcrImage, type OcrWord } from "../src/providers/ocr/Ocr.ts"
import { cpuTimeOfAll } from "./ServiceCpu.ts"

const corpus = process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname
const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}

const Manifest = Schema.fromJsonString(
  Schema.Struct({ files: Schema.Array(Schema.Struct({ path: Schema.String, expected: Schema.Unknown })) })
)
const WithText = Schema.Struct({
  text_file: Schema.String,
  fields: Schema.optionalKey(Schema.Struct({ total: Schema.optionalKey(Schema.Number) }))
})

interface Picture {
  readonly path: string
  readonly truth: string
  readonly total: number | undefined
}

/** As the corpus says: NFKC, white space folded; receipts were upper-cased by those who typed them. */
const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[‘’]/gu, "'")
    .replace(/[“”]/gu, '"')
    .replace(/[–—]/gu, "-")
    .replace(/\s+/gu, " ")
    .trim()

const distance = (a: string, b: string): number => {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = new Uint32Array(b.length + 1)
    next[0] = i
    const code = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const same = (row[j - 1] ?? 0) + (code === b.charCodeAt(j - 1) ? 0 : 1)
      next[j] = Math.min(same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    row = next
  }
  return row[b.length] ?? 0
}

const wordsIn = (text: string): ReadonlyArray<string> => folded(text).split(" ")

/** The truth with its paragraphs in the order in which they were found: some texts have columns in another order. */
const inFoundOrder = (truth: string, found: string): string => {
  const words = wordsIn(found)
  const placed = truth.split(/\n\s*\n/u).map((paragraph) => {
    const wanted = new Set(wordsIn(paragraph))
    const length = wordsIn(paragraph).length
    const hits = words.map((word) => (wanted.has(word) ? 1 : 0))
    let [sum, most, place] = [0, 0, 0]
    for (const [i, hit] of hits.entries()) {
      sum += hit - (i >= length ? (hits[i - length] ?? 0) : 0)
      if (sum > most) [most, place] = [sum, i]
    }
    return { paragraph, place }
  })
  return placed
    .toSorted((a, b) => a.place - b.place)
    .map(({ paragraph }) => paragraph)
    .join(" ")
}

const recall = (found: string, truth: string): number => {
  const bag = new Map<string, number>()
  for (const word of found.split(" ")) bag.set(word, (bag.get(word) ?? 0) + 1)
  const wanted = truth.split(" ")
  let hits = 0
  for (const word of wanted) {
    const left = bag.get(word) ?? 0
    if (left > 0) hits++
    bag.set(word, left - 1)
  }
  return hits / wanted.length
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

interface Reader {
  readonly name: string
  readonly read: (path: string) => Effect.Effect<string, unknown>
}

/** Whether an amount is printed in a text, with a point or a comma, with or without separators of thousands. */
const hasAmount = (text: string, amount: number): boolean => {
  const [whole = "", cents = ""] = amount.toFixed(2).split(".")
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/gu, "[ .,']?")
  const ending = cents === "00" ? `(?:[.,]${cents})?` : `[.,]${cents}`
  return new RegExp(`(?<![\\d.,])${grouped}${ending}(?!\\d)`, "u").test(text)
}

const save = (engine: string, path: string, text: string): void => {
  const folder = option("save", "")
  if (folder === "") return
  const into = `${folder}/${engine.replace(/\W+/gu, "-")}`
  mkdirSync(into, { recursive: true })
  writeFileSync(`${into}/${basename(path)}.txt`, text)
}

const measure = Effect.fnUntraced(function* (reader: Reader, pictures: ReadonlyArray<Picture>) {
  const results: Array<{ path: string; error: number; anyOrder: number; words: number }> = []
  let totals = 0
  const [first] = pictures
  if (first !== undefined) yield* Effect.ignore(reader.read(first.path))
  const before = yield* Effect.promise(() => cpuTimeOfAll(process.pid))
  const start = performance.now()
  const texts = yield* Effect.forEach(
    pictures,
    ({ path }) => Effect.orElseSucceed(reader.read(path), () => ""),
    { concurrency: 2 }
  )
  const seconds = (performance.now() - start) / 1000
  const cpu = (yield* Effect.promise(() => cpuTimeOfAll(process.pid))) - before
  for (const [i, { path, total, truth }] of pictures.entries()) {
    save(reader.name, path, texts[i] ?? "")
    if (total !== undefined && hasAmount(texts[i] ?? "", total)) totals++
    const [found, wanted] = [folded(texts[i] ?? ""), folded(truth)]
    const error = distance(found, wanted) / wanted.length
    const reordered = folded(inFoundOrder(truth, texts[i] ?? ""))
    results.push({
      path,
      error,
      anyOrder: Math.min(error, distance(found, reordered) / wanted.length),
      words: recall(found, wanted)
    })
  }
  const errors = results.map(({ error }) => Math.min(1, error))
  const anyOrder = results.map(({ anyOrder }) => Math.min(1, anyOrder))
  const words = results.map(({ words }) => words)
  const cells = [
    reader.name,
    median(errors).toFixed(3),
    mean(errors).toFixed(3),
    mean(anyOrder).toFixed(3),
    median(words).toFixed(3),
    mean(words).toFixed(3),
    pictures.some(({ total }) => total !== undefined) ? String(totals) : "",
    (cpu / pictures.length).toFixed(0),
    (pictures.length / seconds).toFixed(2)
  ]
  console.log(`| ${cells.join(" | ")} |`)
  if (process.argv.includes("--each")) {
    for (const { anyOrder, path, error, words } of results)
      console.log(`    ${path} ${error.toFixed(3)} ${anyOrder.toFixed(3)} ${words.toFixed(3)}`)
  }
})

/** The program as anyone would call it, on the file itself. */
const program = (name: string, env: Record<string, string>): Reader => ({
  name,
  read: (path) =>
    Effect.tryPromise(async () => {
      const { stdout } = await promisify(execFile)("tesseract", [corpus + path, "stdout"], {
        env: { ...process.env, ...env },
        maxBuffer: 1 << 26
      })
      return stdout
    })
})

const wordsText = (words: ReadonlyArray<OcrWord>): string => words.map(({ text }) => text).join(" ")

/** An engine on the bare picture, without the reader's preparation. */
const bare = (name: string, ocr: Ocr["Service"]): Reader => ({
  name,
  read: (path) =>
    Effect.gen(function* () {
      const image = yield* Effect.promise(async (): Promise<OcrImage> => {
        const sharp = await loadSharp()
        const gray = sharp(readFileSync(corpus + path))
          .toColourspace("b-w")
          .raw({ depth: "uchar" })
        const { data, info } = await gray.toBuffer({ resolveWithObject: true })
        return { width: info.width, height: info.height, dpi: 200, pixels: data }
      })
      return wordsText((yield* ocr.recognize(image)).words)
    })
})

const engines = (["auto", "fast", "tesseract-js", "tesseract", "paddle"] as const).filter((engine) =>
  option("engines", "auto,fast").split(",").includes(engine)
)

const load = (folder: string, most: number): ReadonlyArray<Picture> => {
  const half = option("half", "all")
  return Schema.decodeUnknownSync(Manifest)(readFileSync(`${corpus}manifest.json`, "utf8"))
    .files.filter(({ path }) => path.startsWith(`${folder}/`))
    .map(({ path, expected }) => ({ path, expected, order: hash("sha256", path) }))
    .toSorted((a, b) => a.order.localeCompare(b.order))
    .filter(
      ({ order }) => half === "all" || (parseInt(order.slice(0, 8), 16) % 2 === 0) === (half === "build")
    )
    .flatMap(({ path, expected }) =>
      Schema.is(WithText)(expected)
        ? [
            {
              path,
              truth: readFileSync(corpus + expected.text_file, "utf8"),
              total: expected.fields?.total
            }
          ]
        : []
    )
    .slice(0, most)
}

const bench = Effect.fnUntraced(function* (title: string, pictures: ReadonlyArray<Picture>) {
  if (pictures.length === 0) return
  console.log(`\n${title}: ${pictures.length} pictures\n`)
  console.log(
    "| engine | errors, median | mean | in its order | words, median | mean | total | CPU, ms | pictures/s |"
  )
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
  if (process.argv.includes("--program")) {
    yield* measure(program("program tesseract, its defaults", {}), pictures)
    yield* measure(program("program tesseract, one thread", { OMP_THREAD_LIMIT: "1" }), pictures)
  }
  for (const engine of engines) {
    const ocr = OcrEngine.layer({ engine, languages: option("languages", "auto").split(",") })
    yield* Effect.gen(function* () {
      if (process.argv.includes("--bare"))
        yield* measure(bare(`docflow, ${engine}, picture as it is`, yield* Ocr), pictures)
      const documents = yield* DocumentReader
      const mimeType = "application/octet-stream"
      const read = (path: string) =>
        Effect.map(documents.read(readFileSync(corpus + path), { mimeType }), documentText)
      yield* measure({ name: `docflow, ${engine}, prepared`, read }, pictures)
    }).pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provideMerge(ocr))))
  }
})

await Effect.runPromise(
  Effect.gen(function* () {
    yield* bench("Receipts", load("receipts", Number(option("receipts", "12"))))
    yield* bench("Scanned pages", load("ocr", Number(option("pages", "12"))))
  })
)
