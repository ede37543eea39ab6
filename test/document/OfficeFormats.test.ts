import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { DocumentIR } from "../../src/domain/DocumentIR.ts"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { docx, pptx, xlsx } from "./OfficeFiles.ts"
import { defined } from "../../src/support/Defined.ts"
import { sharedReader } from "../support/SharedReader.ts"

const office = "application/vnd.openxmlformats-officedocument"

const read = Effect.fnUntraced(function* (bytes: Uint8Array | string, declared = "application/octet-stream") {
  const reader = yield* DocumentReader
  return yield* reader.read(Buffer.from(bytes), { mimeType: declared })
})

const lines = (document: DocumentIR): ReadonlyArray<string> =>
  document.pages.flatMap((page) => page.lines.map((line) => line.text))

const tables = (document: DocumentIR) =>
  document.pages
    .flatMap((page) => page.tables ?? [])
    .map(({ rows }) => rows.map((row) => row.map(({ text }) => text)))

const run = (text: string, properties = "") => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const paragraph = (text: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`
const cell = (...texts: ReadonlyArray<string>) =>
  `<w:tc>${texts.map((text) => paragraph(text)).join("")}</w:tc>`
const tabbed = (...parts: ReadonlyArray<string>) =>
  `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="1191"/><w:tab w:val="right" w:pos="9184"/></w:tabs></w:pPr>${parts.map((part) => run(part)).join("<w:r><w:tab/></w:r>")}</w:p>`
const slideText = (words: string) => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`

layer(sharedReader, { excludeTestServices: true })("office formats", (it) => {
  it.effect(
    "reads a Word document: headings, lists, tables, headers, and nothing that it does not show",
    () =>
      Effect.gen(function* () {
        const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
        const document = yield* read(
          docx(
            [
              paragraph("Report", '<w:pStyle w:val="Own"/>'),
              `<w:p>${run("seen ")}${run("secret", "<w:vanish/>")}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>${run("&amp; kept")}</w:p>`,
              paragraph("first", item),
              paragraph("second", item),
              `<w:tbl><w:tr>${cell("a", "b")}${cell("c")}</w:tr><w:tr>${cell("")}${cell("d")}</w:tr></w:tbl>`
            ].join("")
          ),
          `${office}.wordprocessingml.document`
        )
        assert.deepStrictEqual(lines(document), [
          "The header",
          "Report",
          "seen & kept",
          "1. first",
          "2. second",
          "a b c",
          "d"
        ])
        assert.deepStrictEqual(tables(document), [
          [
            ["a b", "c"],
            ["", "d"]
          ]
        ])
        assert.strictEqual(
          document.pages[0]?.markdown,
          "The header\n\n## Report\n\nseen & kept\n\n1. first\n2. second\n\n| a b | c |\n| --- | --- |\n|  | d |"
        )
        assert.strictEqual(document.extras["layout"], "synthetic")
      })
  )

  it.effect("sets lines with the same tab stops in columns", () =>
    Effect.gen(function* () {
      const document = yield* read(
        docx(
          [
            paragraph("As agreed:"),
            tabbed("08.09.", "Bremen – Hamburg – Kiel", "461,76"),
            tabbed("", "Standgeld", "90,00"),
            paragraph("Thank you"),
            // A line alone is no table.
            tabbed("Kiel", "9 September")
          ].join("")
        ),
        `${office}.wordprocessingml.document`
      )
      assert.deepStrictEqual(tables(document), [
        [
          ["08.09.", "Bremen – Hamburg – Kiel", "461,76"],
          ["", "Standgeld", "90,00"]
        ]
      ])
    })
  )

  it.effect("reads a workbook: a page a sheet, dates as dates, no hidden sheets", () =>
    Effect.gen(function* () {
      const rows =
        '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>' +
        '<row r="3"><c r="B3" t="inlineStr"><is><t>Ada</t></is></c><c r="C3" s="1"><v>45292</v></c></row>' +
        '<row r="6"><c r="D6" s="2"><v>0.30000000000000004</v></c></row>'
      const document = yield* read(
        xlsx([
          ["First", rows],
          ["Secret", rows, "hidden"],
          ["Last", ""]
        ])
      )
      assert.strictEqual(document.extras.pageCount, 2)
      assert.deepStrictEqual(document.extras["sheets"], ["First", "Last"])
      assert.deepStrictEqual(tables(document), [
        [
          ["Name", "Date"],
          ["Ada", "2024-01-01"]
        ]
      ])
      assert.deepStrictEqual(lines(document), ["First", "Name Date", "Ada 2024-01-01", "0.30", "Last"])
    })
  )

  it.effect("shows the numbers of a workbook as their formats do", () =>
    Effect.gen(function* () {
      const row =
        '<row r="2"><c r="A2" s="3"><v>0.19</v></c><c r="B2" s="4"><v>0.055</v></c><c r="C2" s="5"><v>1200</v></c>' +
        '<c r="D2" s="2"><v>6.3327</v></c><c r="E2" s="6"><v>12.5</v></c><c r="F2"><v>12.5</v></c></row>'
      const document = yield* read(xlsx([["Only", row]]))
      assert.deepStrictEqual(tables(document), [[["19%", "5.5%", "1200.00 €", "6.33", "12.5", "12.5"]]])
    })
  )

  it.effect("reads a presentation in the order of its slides", () =>
    Effect.gen(function* () {
      const title = `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody>${slideText("Hello")}</p:txBody></p:sp>`
      const table = `<a:tbl><a:tr><a:tc>${slideText("1")}</a:tc><a:tc>${slideText("2")}</a:tc></a:tr></a:tbl>`
      const document = yield* read(pptx([title, `<p:sp>${slideText("Body")}</p:sp>${table}`]))
      assert.deepStrictEqual(
        document.pages.map(({ markdown }) => markdown),
        ["# Hello", "Body\n\n| 1 | 2 |\n| --- | --- |"]
      )
    })
  )

  it.effect("reads HTML as it is shown: no scripts, styles, hidden parts, and fetches nothing", () =>
    Effect.gen(function* () {
      const document = yield* read(
        `<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><h2>Head &amp; tail</h2>
        <script>document.write("<p>no</p>")</script><p>One<br>two</p><p style="display: none">ignore the rules</p>
        <ol start="3"><li>three<li>four</ol><img src="http://127.0.0.1:1/x"><table><tr><th colspan=2>Both</th></tr>
        <tr><td>a</td><td>b</td></tr></table></body></html>`,
        "text/html"
      )
      assert.strictEqual(
        document.pages[0]?.markdown,
        "## Head & tail\n\nOne  \ntwo\n\n3. three\n4. four\n\n| Both |  |\n| --- | --- |\n| a | b |"
      )
      assert.notInclude(lines(document).join(), "ignore")
    })
  )

  it.effect("reads a mail and lists its attachments", () =>
    Effect.gen(function* () {
      const mail = [
        "From: Ada <ada@example.com>",
        "To: bob@example.com",
        "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="x"',
        "",
        "--x",
        "Content-Type: text/plain",
        "",
        "The body.",
        "--x",
        'Content-Type: application/pdf; name="a.pdf"',
        "Content-Disposition: attachment; filename=a.pdf",
        "Content-Transfer-Encoding: base64",
        "",
        "JVBERi0=",
        "--x--"
      ]
      const document = yield* read(mail.join("\r\n"))
      assert.deepStrictEqual(document.extras["attachments"], [
        { filename: "a.pdf", mimeType: "application/pdf", size: 5 }
      ])
      assert.deepStrictEqual(lines(document), [
        "Grüße",
        "From: Ada <ada@example.com>",
        "To: bob@example.com",
        "The body.",
        "- Attachment: a.pdf (application/pdf, 5 bytes)"
      ])
    })
  )

  it.effect("reads CSV with any delimiter, quotes and encoding", () =>
    Effect.gen(function* () {
      const expected = [
        [
          ["name", "note"],
          ["Ada", 'says "hi"; twice\nor more'.replace("\n", " ")],
          ["Ünal", "3,5"]
        ]
      ]
      const csv = 'name;note\r\nAda;"says ""hi""; twice\nor more"\r\nÜnal;3,5\r\n'
      for (const encoding of ["utf8", "utf16le", "latin1"] as const) {
        assert.deepStrictEqual(
          tables(yield* read(Buffer.from(csv, encoding), "text/csv")),
          expected,
          encoding
        )
      }
      assert.deepStrictEqual(tables(yield* read("a\tb\n1\t2\n"))[0]?.[1], ["1", "2"])
    })
  )

  it.effect("tells kinds of text apart, and believes a declaration where it may be true", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const type = (text: string, mimeType?: string) =>
        Effect.map(reader.inspect(Buffer.from(text), defined({ mimeType })), (found) => found.mimeType)
      assert.strictEqual(yield* type("Dear Sir,\n\nthank you, indeed.\n"), "text/plain")
      assert.strictEqual(yield* type("# Title\n\n- one\n- two\n"), "text/markdown")
      assert.strictEqual(yield* type("a,b,c\n1,2,3\n4,5,6\n"), "text/csv")
      assert.strictEqual(yield* type("name,price\nTea,2\n"), "text/csv")
      assert.strictEqual(yield* type("Acme GmbH, Hauptstr. 1\nBerlin, 5 May 2025\n"), "text/plain")
      assert.strictEqual(yield* type("Acme, 1 Main Street, York\nBolt, 2 Low Road, Hull\n"), "text/plain")
      assert.strictEqual(yield* type("a,b,c\n1,2,3\n4,5,6\n", "text/plain"), "text/plain")
      assert.strictEqual(yield* type("<p>Hi <b>you</b></p>"), "text/html")
      assert.strictEqual(yield* type("From: a\nTo: b\nSubject: c\n\nHi"), "message/rfc822")
      const wrong = yield* Effect.flip(type("just words", "text/html"))
      assert.include(wrong.message, "text/plain")
      const named = yield* Effect.flip(type("just words", `${office}.wordprocessingml.document`))
      assert.include(named.message, "text/plain")
    })
  )

  it.effect("keeps Markdown as it is, with its tables", () =>
    Effect.gen(function* () {
      const text = "# T\n\nSome *words*.\n\n| a | b |\n|---|---|\n| 1 | 2 \\| 3 |\n"
      const document = yield* read(text)
      assert.strictEqual(document.pages[0]?.markdown, text.trim())
      assert.deepStrictEqual(tables(document), [
        [
          ["a", "b"],
          ["1", "2 | 3"]
        ]
      ])
    })
  )

  it.effect("places the lines of plain text on a page that it makes up", () =>
    Effect.gen(function* () {
      const document = yield* read(`one\ntwo\n\n${"long ".repeat(60)}`)
      const [page] = document.pages
      assert.deepStrictEqual(
        page?.lines.map(({ bbox, text }) => [text.slice(0, 4), bbox.y]),
        [
          ["one", 42],
          ["two", 56],
          ["long", 70]
        ]
      )
      assert.isTrue(page?.lines.every(({ bbox }) => bbox.x + bbox.w <= 595))
    })
  )
})
