/**
 * Measures how well `split` finds the documents in files that are made of documents of the corpus, eight in a row. Only
 * PDFs with a text layer and at most twelve pages; the rules alone, without and with the first words of `mail-room`.
 *
 *   node bench/splitting.ts [--errors]
 */
import { hash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { parse as parseYaml } from "yaml"
import { DocumentIR, type Page } from "../src/domain/DocumentIR.ts"
import { Docflow } from "../src/index.ts"
import { Llm } from "../src/providers/llm/Llm.ts"
import { split, SplitConfig } from "../src/steps/Split.ts"

const corpus = process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname
const perFile = 8
const mostPages = 12

const Manifest = Schema.fromJsonString(
  Schema.Struct({ files: Schema.Array(Schema.Struct({ path: Schema.String })) })
)
const Read = Schema.Struct({ read: Schema.Struct({ documentIR: DocumentIR }) })

const reading = `docflow: 1
id: read
version: 1.0.0
name: Read
document: { formats: [application/pdf] }
steps: [{ id: read, uses: parse, with: { document: "\${{ input.document }}", ocr: "off" } }]
output: { value: { it: "\${{ steps.read.pageCount }}" } }
`

/** The pages of each document that can be read, in an order that is always the same and mixes the kinds. */
const readAll = async (): Promise<ReadonlyArray<ReadonlyArray<Page>>> => {
  const { files } = Schema.decodeUnknownSync(Manifest)(readFileSync(join(corpus, "manifest.json"), "utf8"))
  const wanted = files
    .map(({ path }) => path)
    .filter((path) => /^(?:invoices|receipts|forms|tables|pdftext)\/.*\.pdf$/u.test(path))
    .toSorted((left, right) => hash("sha256", left).localeCompare(hash("sha256", right)))
  const folder = mkdtempSync(join(tmpdir(), "docflow-splitting-"))
  writeFileSync(join(folder, "read.yaml"), reading)
  await using docflow = Docflow.open()
  const documents: Array<ReadonlyArray<Page>> = []
  for (const path of wanted) {
    const run = docflow.run(join(folder, "read.yaml"), readFileSync(join(corpus, path)))
    const pages = await run.then(
      ({ artifacts }) => (Schema.is(Read)(artifacts) ? artifacts["read"].documentIR.pages : []),
      () => []
    )
    if (pages.length <= mostPages && pages.some(({ lines }) => lines.length > 0)) documents.push(pages)
  }
  rmSync(folder, { recursive: true })
  return documents
}

/** The `startsWith` of the step `split` in `mail-room`. */
const firstWords = (): ReadonlyArray<string> => {
  const text = readFileSync(new URL("../flows/mail-room/1.0.0.yaml", import.meta.url), "utf8")
  const words = /startsWith:\n((?: +- .+\n)+)/u.exec(text)?.[1] ?? ""
  return Schema.decodeUnknownSync(Schema.Array(Schema.String))(parseYaml(words))
}

const context = {
  executionId: "bench",
  path: "split",
  environment: "live" as const,
  progress: () => Effect.void
}

const measure = async (documents: ReadonlyArray<ReadonlyArray<Page>>, startsWith: ReadonlyArray<string>) => {
  const counts = { boundaries: 0, found: 0, doubtful: 0, inside: 0, wrong: 0 }
  for (let at = 0; at < documents.length; at += perFile) {
    const group = documents.slice(at, at + perFile)
    const pages = group.flat().map((page, index): Page => Object.assign({}, page, { pageNumber: index + 1 }))
    let next = 1
    const begins = new Set(group.map(({ length }) => (next += length) - length))
    const config = { document: { pages, extras: { pageCount: pages.length } }, startsWith }
    const { parts } = await Effect.runPromise(
      split.run(Schema.decodeUnknownSync(SplitConfig)(config), context).pipe(Effect.provide(Llm.layerNone))
    )
    const later = parts.filter(({ from }) => from > 1)
    counts.boundaries += begins.size - 1
    counts.inside += pages.length - begins.size
    for (const { doubtful, from, signal } of later) {
      if (begins.has(from)) counts.found += 1
      else {
        counts.wrong += 1
        if (process.argv.includes("--errors")) console.log("wrong:", signal, pages[from - 1]?.lines[0]?.text)
      }
      if (doubtful) counts.doubtful += 1
    }
  }
  return counts
}

const documents = await readAll()
console.log(
  `${documents.length} documents, ${documents.filter(({ length }) => length > 1).length} of several pages`
)
for (const [name, words] of [
  ["without words", []],
  ["with the words of mail-room", firstWords()]
] as const) {
  const { boundaries, doubtful, found, inside, wrong } = await measure(documents, words)
  console.log(
    `${name}: ${found} of ${boundaries} beginnings found; of ${inside} pages that go on, ${wrong} taken for one; ${doubtful} doubtful`
  )
}
