import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { documentText } from "../../src/domain/DocumentIR.ts"
import { odt } from "./OfficeFiles.ts"
import { outlookFile } from "./OutlookFiles.ts"
import { sharedReader } from "../support/SharedReader.ts"

const pdf = Buffer.from("%PDF-1.7 not much of one")

const message = outlookFile({
  subject: "Rechnung 4711",
  body: "Guten Tag,\r\n\r\nanbei die Rechnung über 12,50 €.\r\n",
  from: ["Erika Müller", "erika@example.com"],
  to: ["Buchhaltung", "ap@example.org"],
  files: [
    { name: "Rechnung.pdf", type: "application/pdf", content: pdf },
    { name: "long.txt", type: "text/plain", content: Buffer.from("word ".repeat(2000)) }
  ]
})

const read = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const reader = yield* DocumentReader
  const { mimeType } = yield* reader.inspect(bytes)
  return { mimeType, document: yield* reader.read(bytes, { mimeType }) }
})

layer(sharedReader)("mail and OpenDocument files", (it) => {
  it.effect("a message of Outlook has its headers, its text and its files", () =>
    Effect.gen(function* () {
      const { document, mimeType } = yield* read(message)
      assert.strictEqual(mimeType, "application/vnd.ms-outlook")
      const text = documentText(document)
      for (const part of [
        "Rechnung 4711",
        "From: Erika Müller <erika@example.com>",
        "To: Buchhaltung <ap@example.org>",
        "anbei die Rechnung über 12,50 €."
      ])
        assert.include(text, part)
      assert.deepStrictEqual(document.extras.attachments, [
        { filename: "Rechnung.pdf", mimeType: "application/pdf", size: pdf.length },
        { filename: "long.txt", mimeType: "text/plain", size: 10_000 }
      ])
      const inside = yield* Effect.flatMap(DocumentReader, (reader) => reader.attachment(message, 1))
      assert.strictEqual(Buffer.from(inside).toString(), "word ".repeat(2000))
    })
  )

  it.effect("a message of Outlook that breaks off is refused", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const refused = yield* Effect.flip(reader.inspect(message.subarray(0, 1600)))
      assert.match(refused.message, /damaged|cannot be read/u)
    })
  )

  it.effect("an OpenDocument text has its headings, lists, tables and footer", () =>
    Effect.gen(function* () {
      const { document, mimeType } = yield* read(
        odt(
          `<text:tracked-changes>gone</text:tracked-changes><text:h text:outline-level="1">Invoice&#160;7</text:h>
          <text:p>Total:<text:tab/>12.50<text:line-break/>EUR</text:p>
          <text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>
          <table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Item</text:p>
          </table:table-cell><table:covered-table-cell><text:p>gone</text:p></table:covered-table-cell><table:table-cell><text:p>Sum</text:p></table:table-cell></table:table-row>
          <table:table-row><table:table-cell><text:p>Paper</text:p></table:table-cell><table:table-cell><text:p>2</text:p>
          </table:table-cell><table:table-cell><text:p>12.50</text:p></table:table-cell></table:table-row></table:table>`,
          "<text:p>IBAN DE02</text:p>"
        )
      )
      assert.strictEqual(mimeType, "application/vnd.oasis.opendocument.text")
      const text = documentText(document)
      for (const part of ["Invoice", "Total: 12.50", "EUR", "- one", "IBAN DE02"]) assert.include(text, part)
      assert.notInclude(text, "gone")
      assert.deepStrictEqual(
        document.pages[0]?.tables?.map(({ rows }) => rows.map((row) => row.map((cell) => cell.text))),
        [
          [
            ["Item", "", "Sum"],
            ["Paper", "2", "12.50"]
          ]
        ]
      )
    })
  )

  it.effect("old Office files are refused with what to do", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const old = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1024)])
      const refused = yield* Effect.flip(reader.inspect(old))
      assert.include(refused.message, "Save the document as .docx")
    })
  )
})
