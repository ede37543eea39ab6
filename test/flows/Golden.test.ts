import { globSync, readFileSync } from "node:fs"
import { PDFDocument, StandardFonts } from "pdf-lib"
import { afterAll, describe, expect, it } from "vitest"
import { Docflow } from "../../src/index.ts"
import { scanPage } from "../document/Scans.ts"
import { mailWith } from "../fixtures/Mails.ts"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"
import { defined } from "../../src/support/Defined.ts"

const docflow = Docflow.open()
afterAll(() => docflow.close())

const flows = globSync("flows/*/*.yaml").toSorted()

/** A PDF whose pages have these lines; a page without lines is blank. */
const pages = async (...texts: ReadonlyArray<ReadonlyArray<string>>): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const lines of texts) {
    const page = document.addPage([595, 842])
    for (const [index, text] of lines.entries())
      page.drawText(text, { x: 60, y: 780 - index * 22, size: 12, font })
  }
  return document.save()
}

const joined = async (...parts: ReadonlyArray<Uint8Array>): Promise<Uint8Array> => {
  const whole = await PDFDocument.create()
  for (const part of parts) {
    const source = await PDFDocument.load(part)
    for (const page of await whole.copyPages(source, source.getPageIndices())) whole.addPage(page)
  }
  return whole.save()
}

const run = async (flow: string, document: Uint8Array) => {
  const [file = ""] = flows.filter((name) => name.startsWith(`flows/${flow}/`)).toReversed()
  const result = await docflow.run(file, document)
  return {
    status: result.status,
    output: result.output,
    ...defined({ error: result.error })
  }
}

/** A row of a table in RTF. */
const rtfRow = (...cells: ReadonlyArray<string>) =>
  `\\trowd\\cellx2000\\cellx4000 ${cells.map((cell) => `\\intbl ${cell}\\cell`).join(" ")}\\row`

const letter = ["Dear Sir or Madam,", "please find our new opening hours below.", "Kind regards"]

describe("the flows that ship", () => {
  it("are all there", () => {
    const ids = new Set(flows.map((file) => file.split("/")[1]))
    for (const id of ["invoice", "receipt", "text", "tables", "mail-room", "contract-summary"])
      expect(ids).toContain(id)
  })

  it.each(flows)("%s names its schema and says at its top what it is for", (file) => {
    const [first, second] = readFileSync(file, "utf8").split("\n")
    expect(first).toBe("# yaml-language-server: $schema=../../dsl/flow.schema.json")
    expect(second).toMatch(/^# \S.{30}/u)
  })

  it("invoice", async () => {
    const { bytes, expected } = await makeInvoice(exampleInvoice)
    expect(await run("invoice", bytes)).toEqual({
      status: "completed",
      output: { documentType: "invoice", ...expected, warnings: [] }
    })
  })

  it("receipt", async () => {
    const receipt = await pages([
      "CORNER SHOP LTD",
      "12 High Street, London",
      "14/03/2026 17:42",
      "Milk 2l            GBP 1.80",
      "Bread              GBP 2.20",
      "TOTAL              GBP 4.00",
      "CASH               GBP 5.00",
      "CHANGE             GBP 1.00"
    ])
    expect(await run("receipt", receipt)).toEqual({
      status: "completed",
      output: { merchantName: "CORNER SHOP LTD", date: "2026-03-14", totalAmount: 4, currency: "GBP" }
    })
  })

  it("text", async () => {
    expect(await run("text", await pages(letter, ["Second page"]))).toMatchObject({
      status: "completed",
      output: { text: `${letter.join("\n")}\n\fSecond page`, pageCount: 2, wordCount: 15 }
    })
  })

  it("tables", async () => {
    const { bytes, expected } = await makeInvoice(exampleInvoice)
    const { output, status } = await run("tables", bytes)
    expect(status).toBe("completed")
    const text = JSON.stringify(output)
    for (const { description } of expected.lineItems) expect(text).toContain(description)
  })

  it.each(["tables", "text"])(
    "%s, of a scan: warns if recognition has no data for its language",
    async (flow) => {
      const scan = await scanPage(
        await pages([
          "Reikningur 118",
          "Dagsetning 12.3.2026",
          "Samtals 12.400",
          "Eindagi 20.3.2026",
          "Takk fyrir"
        ])
      )
      expect(await run(flow, scan)).toMatchObject({
        status: "completed",
        output: { warnings: [expect.stringContaining("Icelandic")] }
      })
      expect(await run(flow, await pages(letter))).toMatchObject({ output: { warnings: [] } })
    }
  )

  it("tables, of a rich text file", async () => {
    const file = `{\\rtf1\\ansi ${rtfRow("Item", "Amount")} ${rtfRow("Oak planks", "1,980.00")}}`
    expect(await run("tables", Buffer.from(file))).toMatchObject({
      status: "completed",
      output: {
        tables: [
          {
            rows: [
              ["Item", "Amount"],
              ["Oak planks", "1,980.00"]
            ]
          }
        ]
      }
    })
  })

  it("invoice, of a mail: from the attachment that is one; one that is damaged is a warning", async () => {
    const { bytes, expected } = await makeInvoice(exampleInvoice)
    const mail = mailWith(
      { name: "terms.pdf", content: await pages(letter) },
      { name: "broken.pdf", content: Buffer.from("%PDF-1.7 and no more") },
      { name: "invoice.pdf", content: bytes }
    )
    expect(await run("invoice", mail)).toEqual({
      status: "completed",
      output: {
        documentType: "invoice",
        ...expected,
        warnings: ["Attachment broken.pdf: The PDF is damaged or is not a PDF."]
      }
    })
    const [file = ""] = flows.filter((name) => name.startsWith("flows/invoice/")).toReversed()
    const { fields } = await docflow.run(file, mail)
    expect(fields["totalAmount"]).toMatchObject({ page: 1, file: "invoice.pdf" })
  })

  it("mail-room, of a mail: attachments of more than 100 pages together are not read, the others are", async () => {
    const { bytes, expected } = await makeInvoice(exampleInvoice)
    const long = await pages(...Array.from({ length: 100 }, () => ["A page"]))
    const mail = mailWith({ name: "invoice.pdf", content: bytes }, { name: "long.pdf", content: long })
    const { output } = await run("mail-room", mail)
    expect(output).toMatchObject({
      documents: [
        { file: null },
        { file: "invoice.pdf", type: "invoice", fields: { totalAmount: expected.totalAmount } }
      ],
      unread: [{ file: "long.pdf", problem: expect.stringContaining("more than 100 pages") }]
    })
  })

  it("mail-room, of a mail: every document in every attachment, however deep", async () => {
    const { bytes, expected } = await makeInvoice(exampleInvoice)
    const forwarded = mailWith(
      { name: "invoice.pdf", content: bytes },
      { name: "broken.pdf", content: Buffer.from("%PDF-1.7 and no more") }
    )
    const mail = mailWith(
      { name: "forwarded.eml", content: forwarded, type: "message/rfc822" },
      { name: "scan.pdf", content: await joined(bytes, await pages([]), await pages(letter)) }
    )
    const { output, status } = await run("mail-room", mail)
    expect(status).toBe("completed")
    expect(output).toMatchObject({
      documents: [
        { file: null, type: "text", from: 1, to: 1 },
        { file: "forwarded.eml", type: "text", from: 1, to: 1 },
        { file: "scan.pdf", type: "invoice", fields: { invoiceNumber: expected.invoiceNumber } },
        { file: "scan.pdf", type: "text", from: 3, to: 3 },
        { file: "invoice.pdf", type: "invoice", fields: { totalAmount: expected.totalAmount } }
      ],
      unread: [{ file: "broken.pdf", problem: "The PDF is damaged or is not a PDF." }]
    })
  })

  it("mail-room", async () => {
    const [one, two] = await Promise.all([
      makeInvoice(exampleInvoice),
      makeInvoice({ layout: "labelBelow", language: "de", currency: "EUR", seed: 7 })
    ])
    const receipt = await pages([
      "CORNER SHOP LTD",
      "Receipt 4711",
      "14/03/2026 17:42",
      "TOTAL   GBP 4.00",
      "CASH    GBP 5.00",
      "CHANGE  GBP 1.00"
    ])
    const whole = await joined(one.bytes, await pages(letter, ["It goes on here."], []), two.bytes, receipt)
    const { output, status } = await run("mail-room", whole)
    expect(status).toBe("completed")
    expect(output).toMatchObject({
      documents: [
        {
          type: "invoice",
          from: 1,
          to: 1,
          fields: { invoiceNumber: one.expected.invoiceNumber, totalAmount: one.expected.totalAmount }
        },
        { type: "text", from: 2, to: 3, fields: { text: `${letter.join(" ")} It goes on here.` } },
        {
          type: "invoice",
          from: 5,
          to: 5,
          fields: { invoiceNumber: two.expected.invoiceNumber, totalAmount: two.expected.totalAmount }
        },
        { type: "receipt", from: 6, to: 6, fields: { totalAmount: 4, currency: "GBP" } }
      ]
    })
  })

  it("contract-summary says which setting it lacks", async () => {
    expect(await run("contract-summary", await pages(["Agreement between A and B."]))).toMatchObject({
      status: "failed",
      error: { code: "PROVIDER_ERROR", step: "summary", message: expect.stringContaining("DOCFLOW_LLM") }
    })
  })
})
