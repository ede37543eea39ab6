/**
 * Measures tables that are found where there is none, on 88 pages of 11 layouts that Chromium prints, and the cells of a scanned
 * table of 340 rows and four columns over several pages.
 *
 *   node bench/tables.ts [--only spurious|scanned] [--rows 340] [--show]
 */
import { Effect, Layer } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"
import { type Drawn, drawPdf } from "../test/document/DrawPdf.ts"
import { picturePdf, scanPage } from "../test/document/Scans.ts"
import { randomOf } from "../test/fixtures/varied/Random.ts"
import { printedPdf } from "./PrintedPdf.ts"
import { cellsOf, common, f1, neighboursOf } from "./ReadingScores.ts"

const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}
const only = option("only", "")
const show = process.argv.includes("--show")

const random = randomOf("tables")
const vocabulary =
  "the garden office report shows that water level in every district has risen since March 2019 while 14 schools and 3 libraries asked for more time because repairs of roofs cost 1,250 euros more than planned and nobody knew who would pay for them before winter".split(
    " "
  )
const some = (least: number, most: number): string =>
  Array.from({ length: random.whole(least, most) }, () => random.pick(vocabulary)).join(" ")
const sentence = (): string => `${some(7, 20).replace(/^./u, (letter) => letter.toUpperCase())}.`
const many = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join("")
const paragraph = (): string => `<p>${many(random.whole(3, 6), () => `${sentence()} `)}</p>`
const name = (): string => random.pick(["Ana Brandt", "Luc Moreau", "Eva Lind", "Tom Keller", "Ines Rocha"])
const city = (): string => random.pick(["40213 Kleve", "8000 Zug", "1050 Gent", "Leeds LS1 4AP"])

/** A page without a table, by layout. */
const layouts: Readonly<Record<string, () => string>> = {
  prose: () => `<h1>${some(3, 6)}</h1>${many(9, paragraph)}`,
  twoColumns: () => `<h1>${some(3, 6)}</h1><div style="columns:2">${many(9, paragraph)}</div>`,
  threeColumns: () =>
    `<h1>${some(3, 6)}</h1><div style="columns:3;column-gap:12pt;text-align:justify">${many(9, paragraph)}</div>`,
  lists: () =>
    `<h2>${some(3, 6)}</h2>${many(3, () => `${paragraph()}<ol>${many(random.whole(3, 7), () => `<li>${some(2, 24)}</li>`)}</ol><ul>${many(4, () => `<li>${some(2, 9)}<ul><li>${some(2, 6)}</li></ul></li>`)}</ul>`)}`,
  letter: () =>
    `<div style="float:right;width:160pt">${name()}<br>Mill Road ${random.whole(1, 90)}<br>${city()}<br>Phone 0${random.digits(3)} ${random.digits(6)}</div><div style="padding-top:70pt">${name()}<br>High Street ${random.whole(1, 90)}<br>${city()}</div><p style="text-align:right">${city()}, ${random.whole(1, 28)} May 2026</p>${many(4, paragraph)}<p>Yours sincerely</p><div style="display:flex;gap:120pt;padding-top:40pt"><div>${name()}<br>Director</div><div>${name()}<br>Treasurer</div></div>`,
  verse: () =>
    many(
      8,
      () => `<p style="margin-left:${random.whole(0, 120)}pt">${many(4, () => `${some(3, 7)}<br>`)}</p>`
    ),
  code: () =>
    `${paragraph()}<pre style="background:#eee;padding:6pt">${many(24, (i) => `${" ".repeat(4 * (i % 4))}${random.pick(["if", "let", "for", "call"])} ${some(1, 2)} = ${some(1, 3)}\n`)}</pre>${paragraph()}`,
  interview: () =>
    many(
      12,
      (i) =>
        `<div style="display:flex"><b style="width:80pt">${i % 2 === 0 ? "Reporter:" : "Mayor:"}</b><span style="flex:1">${sentence()} ${sentence()}</span></div>`
    ),
  boxes: () =>
    `${paragraph()}<div style="border:1pt solid #000;padding:6pt">${paragraph()}</div>${paragraph()}<div style="display:flex;gap:12pt"><div style="flex:1;border:1pt solid #888;padding:6pt">${paragraph()}</div><div style="flex:1;border:1pt solid #888;padding:6pt">${paragraph()}</div></div><hr>${paragraph()}<hr>`,
  sources: () =>
    `<h2>References</h2>${many(18, (i) => `<div style="display:flex;font-size:8.5pt"><span style="width:24pt">[${i + 1}]</span><span style="flex:1">${name()}: ${some(4, 18)}. ${city()}, ${random.whole(1980, 2025)}, pp. ${random.whole(1, 90)}–${random.whole(91, 200)}.</span></div>`)}`,
  chart: () =>
    `${paragraph()}<svg width="460" height="220">${many(8, (i) => `<rect x="${40 + 50 * i}" y="${200 - 20 * ((i * 7) % 9)}" width="30" height="${20 * ((i * 7) % 9)}" fill="#888"/><text x="${44 + 50 * i}" y="215" font-size="10">${2015 + i}</text>`)}${many(6, (i) => `<text x="8" y="${200 - 36 * i}" font-size="10">${i * 20}</text><line x1="30" x2="450" y1="${200 - 36 * i}" y2="${200 - 36 * i}" stroke="#ccc"/>`)}</svg><p><i>Figure ${random.whole(1, 9)}: ${some(5, 9)}</i></p>${many(3, paragraph)}`
}
const pagesOfLayout = 8

const spurious = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const sums = { pages: 0, withTable: 0 }
  for (const [layout, page] of Object.entries(layouts)) {
    const html = many(pagesOfLayout, () => `<section>${page()}</section>`)
    const sheet = `<!doctype html><meta charset="utf-8"><style>@page{size:A4;margin:18mm}body{font:10pt/1.3 Liberation Serif,serif}section{break-after:page;height:250mm;overflow:hidden}section:last-child{break-after:auto}</style>${html}`
    const pdf = yield* Effect.promise(() => printedPdf(sheet))
    const { pages } = yield* reader.read(pdf, { mimeType: "application/pdf", ocr: "off" })
    const wrong = pages.filter(({ tables = [] }) => tables.length > 0)
    console.log(`  ${layout.padEnd(14)} ${wrong.length} of ${pages.length} pages with a table`)
    if (show)
      console.log(
        JSON.stringify(
          wrong[0]?.tables?.map(({ rows }) => rows.slice(0, 3)),
          null,
          1
        )
      )
    sums.pages += pages.length
    sums.withTable += wrong.length
  }
  console.log(`spurious: a table on ${sums.withTable} of ${sums.pages} pages without one`)
})

/** The rows of a price list: an article, its name, a quantity and an amount. */
const rowsOf = (count: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: count }, (_, i) => [
    `A-${1000 + i}`,
    `${random.pick(["Bolt", "Hinge", "Washer", "Bracket", "Screw", "Clamp"])} ${random.pick(["steel", "brass", "zinc", "nylon"])} ${random.whole(2, 40)} mm`,
    String(random.whole(1, 48)),
    `${random.whole(1, 900)}.${random.digits(2)}`
  ])
const columns = [60, 150, 400, 480]
const rowsOfPage = 48

const drawnRows = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Drawn> =>
  [["Article", "Name", "Quantity", "Amount"], ...rows].flatMap((row, i) =>
    row.map((text, column) => ({ text, x: columns[column] ?? 0, y: 60 + i * 15 }))
  )

const scanned = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const rows = rowsOf(Number(option("rows", "340")))
  const parts = Array.from({ length: Math.ceil(rows.length / rowsOfPage) }, (_, i) =>
    rows.slice(i * rowsOfPage, (i + 1) * rowsOfPage)
  )
  const pictures: Array<Uint8Array> = []
  for (const part of parts) {
    pictures.push(yield* Effect.promise(async () => scanPage(await drawPdf([{ texts: drawnRows(part) }]))))
  }
  const scan = yield* Effect.promise(() => picturePdf(pictures))
  const { pages } = yield* reader.read(scan, { mimeType: "application/pdf" })
  const found = pages.flatMap(({ tables = [] }) =>
    tables.flatMap((table) =>
      table.rows.map((row) => row.map(({ text }) => text)).filter((row) => row[0] !== "Article")
    )
  )
  const truth = cellsOf(rows)
  const cells = common(truth, cellsOf(found)) / truth.length
  if (show) {
    const known = new Set(truth)
    for (const row of found) if (cellsOf([row]).some((cell) => !known.has(cell))) console.log(row.join(" | "))
  }
  console.log(
    `scanned: ${rows.length} rows on ${pages.length} pages, cells found ${cells.toFixed(3)}, rows found ${found.length}, ` +
      `neighbours F1 ${f1(neighboursOf(rows), neighboursOf(found)).toFixed(3)}`
  )
})

const program = Effect.gen(function* () {
  if (only === "" || only === "spurious") yield* spurious
  if (only === "" || only === "scanned") yield* scanned
})
const engine = OcrEngine.layer({ engine: "auto", languages: ["auto"] })
await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(engine)))))
