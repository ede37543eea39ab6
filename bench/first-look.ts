/**
 * Judges the rules on documents of a folder, written to judge with: HTML pages, which Chromium prints, and PDF and DOCX files
 * of any program; as they are, scanned or photographed. DOCX files are not scanned.
 *
 *   node bench/first-look.ts <folder> [--as pdf,scan,photo,scan-150,…] [--errors] [--only <part of a name>] [--cache <folder>]
 *
 * A page states in `<script type="application/json" id="truth">`, a file in the JSON file of its name, its `flow`, its
 * `kind`, what to `expect` by field (null: no value) and, of invoices, its `lines`: description, quantity, unit price, amount.
 */
import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { sureFrom } from "../src/domain/Evidence.ts"
import { documentKindOf } from "../src/extraction/kinds/DocumentKind.ts"
import { CurrentLexicon } from "../src/extraction/lexicon/CurrentLexicon.ts"
import { pageModel } from "../src/extraction/layout/PageModel.ts"
import { cachedReader } from "./CachedReader.ts"
import { captured, type Capture, captures } from "./Degraded.ts"
import { answersOf } from "./Example.ts"
import { type FieldResult, report } from "./FieldScores.ts"
import { judge, judgeRows } from "./Judgements.ts"
import { printedPdf } from "./PrintedPdf.ts"

const Row = Schema.Array(Schema.Union([Schema.String, Schema.Number, Schema.Null]))
const Truth = Schema.fromJsonString(
  Schema.Struct({
    flow: Schema.Literals(["invoice", "receipt"]),
    kind: Schema.optionalKey(Schema.String),
    expect: Schema.Record(Schema.String, Schema.Unknown),
    lines: Schema.optionalKey(Schema.Array(Row))
  })
)

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const folder = process.argv[2] ?? ""
const wantedCaptures = captures.filter((as) => (option("as") ?? "pdf").split(",").includes(as))

const fromHtml = (path: string) => {
  const html = readFileSync(path, "utf8")
  const [, json = ""] = /<script type="application\/json" id="truth">(.*?)<\/script>/su.exec(html) ?? []
  return { json, mimeType: "application/pdf", bytes: () => printedPdf(html) }
}

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

const fromFile = (path: string) => ({
  json: readFileSync(path.replace(/\w+$/u, "json"), "utf8"),
  mimeType: path.endsWith("docx") ? word : "application/pdf",
  bytes: () => Promise.resolve(readFileSync(path))
})

const pages = readdirSync(folder)
  .filter((file) => /\.(?:html|pdf|docx)$/u.test(file) && file.includes(option("only") ?? ""))
  .map((file) => {
    const path = `${folder}/${file}`
    const { json, ...source } = file.endsWith("html") ? fromHtml(path) : fromFile(path)
    return Object.assign(
      { name: file.replace(/\.\w+$/u, ""), ...source },
      Schema.decodeUnknownSync(Truth)(json)
    )
  })

/** Reads one page in one form and judges its fields, rows and kind. */
const judged = Effect.fnUntraced(function* (page: (typeof pages)[number], as: Capture) {
  const original = { bytes: yield* Effect.promise(page.bytes), mimeType: page.mimeType }
  const sent = as === "pdf" ? original : yield* Effect.promise(() => captured(original.bytes, as, page.name))
  const document = yield* (yield* DocumentReader).read(sent.bytes, { mimeType: sent.mimeType })
  const truth: Record<string, ReadonlyArray<unknown>> = answersOf(page.expect)
  const { flow, name } = page
  const example = {
    name,
    flow,
    family: name,
    source: "written",
    real: false,
    isPicture: as !== "pdf",
    document,
    truth
  } as const
  const { judgements, table } = yield* judge(example)
  const results = judgements.map(({ evidence, field, right }): FieldResult => {
    return { file: name, field, right, evidence, truth: truth[field] }
  })
  const { isExact, lines, rows } = judgeRows(table, page.lines ?? [])
  const lexicon = yield* CurrentLexicon
  const pages = document.pages.map((page) => pageModel(page, lexicon))
  const { kind } = documentKindOf(pages, lexicon)
  return { page, results, table, lines, rows, isExact, kind }
})

const summary = (as: Capture, all: ReadonlyArray<Effect.Success<ReturnType<typeof judged>>>): void => {
  const flows = Map.groupBy(all, ({ page }) =>
    Object.values(page.expect).every((value) => value === null) ? "other kinds" : `${page.flow}s`
  )
  for (const [name, group] of flows) {
    console.log(`\n${name}, ${as}: ${group.length} documents`)
    report(
      group.flatMap(({ results }) => results),
      { errors: process.argv.includes("--errors") }
    )
  }
  const tables = all.filter(({ page }) => page.lines !== undefined)
  const sure = tables.filter(({ table }) => (table?.confidence ?? 0) >= sureFrom)
  const rows = tables.flatMap(({ lines }) => lines)
  console.log(
    `\nrows ${rows.filter(({ right }) => right).length}/${rows.length}, tables exact ${tables.filter(({ isExact }) => isExact).length}/${tables.length}, sure ${sure.length}, wrong among them ${sure.filter(({ isExact }) => !isExact).length}`
  )
  const kinds = all.filter(({ page }) => page.kind !== undefined)
  console.log(`kinds ${kinds.filter(({ kind, page }) => kind === page.kind).length}/${kinds.length}`)
  if (!process.argv.includes("--errors")) return
  for (const { kind, page } of kinds.filter(({ kind, page }) => kind !== page.kind))
    console.log(`${page.name}: ${page.kind} read as ${kind}`)
  for (const { lines, page, rows, table } of tables.filter(({ isExact }) => !isExact)) {
    console.log(`${page.name}: ${rows} rows of ${page.lines?.length} (${table?.confidence})`)
    for (const { line, right, row } of lines.filter((entry) => !entry.right))
      console.log(`  ${right} wanted ${JSON.stringify(line)} got ${JSON.stringify(row)}`)
  }
}

const program = Effect.gen(function* () {
  for (const as of wantedCaptures) {
    const wanted = pages.filter(
      ({ flow, mimeType }) => as === "pdf" || (mimeType !== word && (as !== "photo" || flow === "receipt"))
    )
    summary(as, yield* Effect.forEach(wanted, (page) => judged(page, as)))
  }
})

await Effect.runPromise(
  program.pipe(
    Effect.provide(
      cachedReader(option("cache") ?? `/tmp/docflow-read-auto-${hash("sha256", folder).slice(0, 8)}`, [
        "auto"
      ])
    )
  )
)
