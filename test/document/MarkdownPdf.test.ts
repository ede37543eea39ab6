import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PDFDocument, StandardFonts } from "pdf-lib"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { documentMarkdown } from "../../src/domain/DocumentIR.ts"
import { tablesOf } from "../../src/document/tables/DocumentTables.ts"
import { sharedReader } from "../support/SharedReader.ts"

interface Text {
  readonly text: string
  readonly x?: number
  readonly y: number
  readonly size?: number
  readonly bold?: boolean
}

const rows = [
  ["Item", "Count", "Price"],
  ["Paper", "10", "4.00"],
  ["Ink", "2", "12.50"]
]

/** A table of lines and texts; `y` from the bottom of the page. */
const table = (top: number, some: ReadonlyArray<ReadonlyArray<string>>) => ({
  lines: [
    ...Array.from({ length: some.length + 1 }, (_, i) => [60, top - i * 20, 360, top - i * 20] as const),
    ...[60, 160, 260, 360].map((x) => [x, top, x, top - some.length * 20] as const)
  ],
  texts: some.flatMap((row, i) =>
    row.map((text, j): Text => ({ text, x: 65 + j * 100, y: top - i * 20 - 14 }))
  )
})

interface DrawnPage {
  readonly texts: ReadonlyArray<Text>
  readonly lines?: ReadonlyArray<readonly [number, number, number, number]>
}

const draw = async (pages: ReadonlyArray<DrawnPage>): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const [plain, strong] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold)
  ]
  for (const { lines = [], texts } of pages) {
    const page = document.addPage([595, 842])
    for (const { bold = false, size = 10, text, x = 60, y } of texts) {
      page.drawText(text, { x, y, size, font: bold ? strong : plain })
    }
    for (const [x1, y1, x2, y2] of lines) page.drawLine({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 } })
  }
  return document.save()
}

const read = Effect.fnUntraced(function* (pages: ReadonlyArray<DrawnPage>) {
  const reader = yield* DocumentReader
  const bytes = yield* Effect.promise(() => draw(pages))
  return yield* reader.read(bytes, { mimeType: "application/pdf" })
})

layer(sharedReader, { excludeTestServices: true })("PDF as Markdown", (it) => {
  it.effect("knows headings by size and weight, paragraphs, lists and tables", () =>
    Effect.gen(function* () {
      const ruled = table(600, rows)
      const document = yield* read([
        {
          texts: [
            { text: "Report", y: 780, size: 24 },
            { text: "This is a paragraph that goes on for two", y: 740 },
            { text: "lines of text.", y: 728 },
            { text: "Things", y: 700, bold: true },
            { text: "• first thing", y: 680 },
            { text: "• second thing", y: 667 },
            ...ruled.texts
          ],
          lines: ruled.lines
        }
      ])
      assert.strictEqual(
        documentMarkdown(document),
        [
          "# Report",
          "This is a paragraph that goes on for two lines of text.",
          "#### Things",
          "- first thing\n- second thing",
          "| Item | Count | Price |\n| --- | --- | --- |\n| Paper | 10 | 4.00 |\n| Ink | 2 | 12.50 |"
        ].join("\n\n")
      )
    })
  )

  it.effect("reads a table that goes on over the page as one, and keeps the boxes of its cells", () =>
    Effect.gen(function* () {
      const [first, second] = [table(200, rows), table(800, [rows[0] ?? [], ["Glue", "1", "3.00"]])]
      const document = yield* read([
        { ...first, texts: [{ text: "Stock", y: 780 }, ...first.texts, { text: "1", y: 30, x: 300 }] },
        { ...second, texts: [...second.texts, { text: "2", y: 30, x: 300 }] }
      ])
      assert.deepStrictEqual(tablesOf(document), [{ page: 1, rows: [...rows, ["Glue", "1", "3.00"]] }])
      const cell = document.pages[0]?.tables?.[0]?.rows[1]?.[1]
      assert.strictEqual(cell?.text, "10")
      assert.closeTo(cell?.bbox?.x ?? 0, 165, 1)
      assert.closeTo(cell?.bbox?.y ?? 0, 842 - 166 - 10, 4)
    })
  )
})
