/**
 * Measures the order in which pages of several columns are read, on pages that Chromium prints: three and four columns,
 * side notes, a table next to text.
 *
 *   node bench/order.ts [--only three] [--seed order] [--font "Liberation Serif"] [--text]
 *
 * Similarity: twice the longest common subsequence of the words, over the words of both.
 */
import { Effect, Layer } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { documentText } from "../src/domain/DocumentIR.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import { randomOf } from "../test/fixtures/varied/Random.ts"
import { printedPdf } from "./PrintedPdf.ts"

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const vocabulary =
  "the river brought cold water down from hills where snow lay until June and farmers of valley knew that each spring would flood low fields before any seed could be sown so they built walls with stones carried by hand over three winters while council argued about cost of timber needed for new bridge".split(
    " "
  )
const random = randomOf(option("seed") ?? "order")
const font = option("font") ?? "Liberation Serif"
const sentence = (): string => {
  const words = Array.from({ length: random.whole(8, 22) }, () => random.pick(vocabulary))
  return `${words.join(" ").replace(/^./u, (letter) => letter.toUpperCase())}.`
}
const paragraph = (): string => Array.from({ length: random.whole(3, 6) }, sentence).join(" ")
const paragraphs = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => (i % 4 === 0 ? `<h3>${sentence().slice(0, 22)}</h3>` : "") + `<p>${paragraph()}</p>`
  ).join("")
const columns = (count: number, gap: string, more = ""): string =>
  `<style>.c{columns:${count};column-gap:${gap};${more}} p{margin:0 0 5pt}</style>`
const title = `<h1>${sentence().slice(0, 40)}</h1>`
const table = `<table style="border-collapse:collapse">${Array.from({ length: 8 }, (_, i) => `<tr><td>Item ${i}</td><td style="padding-left:20pt;text-align:right">${random.whole(100, 9000)}</td><td style="padding-left:20pt;text-align:right">${random.whole(10, 99)} %</td></tr>`).join("")}</table>`

const pages: Readonly<Record<string, string>> = {
  two: `${columns(2, "18pt")}${title}<div class=c>${paragraphs(14)}</div>`,
  three: `${columns(3, "14pt")}${title}<div class=c>${paragraphs(14)}</div>`,
  threeTight: `${columns(3, "9pt", "font-size:8pt;text-align:justify")}${title}<div class=c>${paragraphs(20)}</div>`,
  threeRuled: `${columns(3, "16pt", "column-rule:1pt solid #000")}${title}<p><b>${sentence()}</b></p><div class=c>${paragraphs(12)}</div><p>${paragraph()}</p>`,
  threeTwice: `${columns(3, "14pt")}${title}<div class=c>${paragraphs(6)}</div><h2>${sentence().slice(0, 30)}</h2><div class=c>${paragraphs(6)}</div>`,
  threeUneven: `<style>p{margin:0 0 5pt}td{vertical-align:top;padding:0 7pt}</style>${title}<table><tr><td width="30%" style="font-size:9pt">${paragraphs(4)}</td><td width="40%">${paragraphs(5)}</td><td style="font-size:8pt">${paragraphs(3)}</td></tr></table>`,
  four: `${columns(4, "12pt", "font-size:8pt")}${title}<div class=c>${paragraphs(18)}</div>`,
  pictures: `${columns(3, "14pt")}${title}<div class=c>${paragraphs(4)}<div style="height:90pt;background:#ccc"></div>${paragraphs(4)}<div style="height:60pt;background:#ccc"></div>${paragraphs(3)}</div>`,
  sideNote: `<style>p{margin:0 0 5pt}td{vertical-align:top}</style>${title}<table><tr><td width="72%">${paragraphs(8)}</td><td style="padding-left:14pt;font-size:7.5pt">${paragraphs(3)}</td></tr></table>`,
  tableBeside: `<style>p{margin:0 0 5pt}td{vertical-align:top}</style>${title}<table><tr><td width="50%">${paragraphs(4)}</td><td style="padding-left:24pt">${table}</td></tr></table><p>${paragraph()}</p>`,
  single: `<style>p{margin:0 0 5pt}</style>${title}${paragraphs(8)}${table}`
}

const wordsOf = (text: string): Array<string> => text.split(/\s+/u).filter(Boolean)
const plain = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>/gsu, " ")
    .replace(/<\/?b>/gu, "")
    .replace(/<[^>]+>/gu, " ")

/** The length of the longest common subsequence. */
const commonLength = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  let before = new Uint32Array(b.length + 1)
  for (const word of a) {
    const row = new Uint32Array(b.length + 1)
    for (const [j, other] of b.entries())
      row[j + 1] = word === other ? (before[j] ?? 0) + 1 : Math.max(before[j + 1] ?? 0, row[j] ?? 0)
    before = row
  }
  return before[b.length] ?? 0
}

const program = Effect.gen(function* () {
  const reader = yield* DocumentReader
  for (const [name, html] of Object.entries(pages)) {
    if (option("only") !== undefined && option("only") !== name) continue
    const page = `<!doctype html><meta charset="utf-8"><style>@page{size:A4;margin:16mm}body{font:9.5pt/1.25 ${font},serif}</style>${html}`
    const pdf = yield* Effect.promise(() => printedPdf(page))
    const document = yield* reader.read(pdf, { mimeType: "application/pdf" })
    const text = documentText(document)
    if (process.argv.includes("--text")) console.log(text)
    const [truth, found] = [wordsOf(plain(html)), wordsOf(text)]
    console.log(
      `${name.padEnd(14)} ${((2 * commonLength(truth, found)) / (truth.length + found.length)).toFixed(3)}  (${document.pages.length} pages, ${truth.length} words)`
    )
  }
})

await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
