import { assert, layer } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import type { EmbeddedInvoice } from "../../src/domain/EmbeddedInvoice.ts"
import { cii, eInvoiceOf, syntaxes, ubl, withFiles, zugferd1 } from "../fixtures/EInvoices.ts"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"
import { sharedReader } from "../support/SharedReader.ts"

const read = Effect.fnUntraced(function* (bytes: Uint8Array | string, mimeType = "application/octet-stream") {
  const reader = yield* DocumentReader
  return yield* reader.read(Buffer.from(bytes), { mimeType })
})

const printed = Effect.promise(() => makeInvoice(exampleInvoice))

/** The values of a term, with the qualifier behind where there is one. */
const values = (invoice: EmbeddedInvoice | undefined, term: string): ReadonlyArray<string> =>
  (invoice?.terms ?? [])
    .filter((found) => found.term === term)
    .map(({ qualifier, value }) => (qualifier === undefined ? value : `${value} ${qualifier}`))

const corpus =
  process.env["DOCFLOW_CORPUS"] ?? fileURLToPath(new URL("../../../shared/corpus/open/", import.meta.url))
const Manifest = Schema.Struct({
  files: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      expected: Schema.Unknown,
      gt: Schema.optionalKey(Schema.Struct({ quality: Schema.optionalKey(Schema.String) }))
    })
  )
})
const isPresent = existsSync(`${corpus}manifest.json`)

layer(sharedReader, { excludeTestServices: true })("files inside a PDF", (it) => {
  it.effect.each([...syntaxes])("are read where they are invoices: $syntax $profile", (way) =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const content = way.write(eInvoiceOf(expected))
      const pdf = yield* Effect.promise(() => withFiles(bytes, [{ name: way.file, content }]))
      const { extras, pages } = yield* read(pdf)
      assert.deepStrictEqual(extras.attachments, [
        { filename: way.file, mimeType: "text/xml", size: Buffer.byteLength(content) }
      ])
      assert.deepInclude(extras.invoice, { syntax: way.syntax, kind: "invoice", attachment: way.file })
      assert.deepStrictEqual(values(extras.invoice, "BT-1"), [expected.invoiceNumber])
      assert.deepStrictEqual(values(extras.invoice, "BT-2"), [expected.invoiceDate])
      assert.deepStrictEqual(values(extras.invoice, "BT-31").join().split(" ")[0], "DE136695976")
      assert.deepStrictEqual(values(extras.invoice, "BT-44"), ["Bluebird Books & Söhne"])
      assert.strictEqual(Number(values(extras.invoice, "BT-112")[0]?.split(" ")[0]), expected.totalAmount)
      const hasLines = !["MINIMUM", "BASIC WL"].includes(way.profile)
      const notes = way.profile === "COMFORT" ? 1 : 0
      assert.lengthOf(extras.invoice?.lines ?? [], hasLines ? expected.lineItems.length + notes : 0)
      assert.isAbove(pages[0]?.lines.length ?? 0, 10)
    })
  )

  it.effect("are found among others, whatever they are called, and the standard's name comes first", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const data = eInvoiceOf(expected)
      const other = cii({ ...data, number: "OTHER" })
      const files = [
        { name: "terms.pdf", content: bytes, mimeType: "application/pdf" },
        { name: "copy.xml", content: other },
        { name: "Factur-X.xml", content: cii(data) }
      ]
      const { extras } = yield* read(yield* Effect.promise(() => withFiles(bytes, files)))
      assert.strictEqual(extras.invoice?.attachment, "Factur-X.xml")
      assert.deepStrictEqual(values(extras.invoice, "BT-1"), [expected.invoiceNumber])
      assert.lengthOf(extras.attachments ?? [], 3)
      assert.include(
        (extras.attachments ?? []).map(({ size }) => size),
        bytes.length
      )
      const alone = yield* Effect.promise(() =>
        withFiles(bytes, [{ name: "data", content: other, mimeType: "application/octet-stream" }])
      )
      assert.deepStrictEqual(values((yield* read(alone)).extras.invoice, "BT-1"), ["OTHER"])
    })
  )

  it.effect("give the path of every value, and tell taxes in two currencies apart", () =>
    Effect.gen(function* () {
      const data = {
        ...eInvoiceOf((yield* printed).expected),
        bookTax: { currency: "EUR", amount: 41.5 },
        allowance: 10,
        charge: 4.5
      }
      for (const write of [cii, ubl]) {
        const { invoice } = (yield* read(write(data))).extras
        assert.deepStrictEqual(values(invoice, "BT-110"), ["47.36 USD"])
        assert.deepStrictEqual(values(invoice, "BT-111"), ["41.50 EUR"])
        assert.strictEqual(Number(values(invoice, "BT-92")[0]?.split(" ")[0]), 10)
        assert.strictEqual(Number(values(invoice, "BT-99")[0]?.split(" ")[0]), 4.5)
        assert.isUndefined(invoice?.attachment)
      }
      const { invoice } = (yield* read(ubl(data))).extras
      const paths = (invoice?.lines[1]?.terms ?? []).map(({ path, term }) => `${term} ${path}`)
      assert.include(paths, "BT-129 /Invoice/InvoiceLine[2]/InvoicedQuantity")
      assert.include(paths, "BT-130 /Invoice/InvoiceLine[2]/InvoicedQuantity/@unitCode")
      assert.include(
        (invoice?.terms ?? []).map(({ path }) => path),
        "/Invoice/AccountingSupplierParty/Party/PartyTaxScheme[2]/CompanyID"
      )
    })
  )

  it.effect("know credit notes by their code and by their first element", () =>
    Effect.gen(function* () {
      const data = { ...eInvoiceOf((yield* printed).expected), typeCode: "381" }
      for (const write of [cii, ubl]) {
        const { invoice } = (yield* read(write(data))).extras
        assert.strictEqual(invoice?.kind, "credit-note")
        assert.deepStrictEqual(values(invoice, "BT-9"), [data.dueDate ?? ""])
        assert.lengthOf(invoice?.lines ?? [], data.lines.length)
      }
    })
  )

  it.effect(
    "are read where they are orders (Order-X), drafts of ZUGFeRD 1, or say what lines only inform",
    () =>
      Effect.gen(function* () {
        const data = eInvoiceOf((yield* printed).expected)
        const order = cii(data)
          .replaceAll("CrossIndustryInvoice", "SCRDMCCBDACIOMessageStructure")
          .replaceAll("InvoiceCurrencyCode", "OrderCurrencyCode")
          .replaceAll("BilledQuantity", "RequestedQuantity")
        const read1 = (yield* read(order)).extras.invoice
        assert.deepInclude(read1, { syntax: "Order-X", kind: "order" })
        assert.deepStrictEqual(values(read1, "BT-5"), ["USD"])
        assert.isTrue(read1?.lines.every(({ terms }) => terms.some(({ term }) => term === "BT-129")))
        const draft = zugferd1(data)
          .replaceAll("rsm:CrossIndustryDocument", "rsm:Invoice")
          .replace(
            "urn:ferd:CrossIndustryDocument:invoice:1p0",
            "urn:un:unece:uncefact:data:standard:CBFBUY:5"
          )
          .replaceAll(/<udt:DateTimeString format="102">(\d+)<\/udt:DateTimeString>/gu, "$1")
        const read2 = (yield* read(draft)).extras.invoice
        assert.strictEqual(read2?.syntax, "ZUGFeRD 1")
        assert.deepStrictEqual(values(read2, "BT-2"), [data.date])
        const grouped = cii(data).replace(
          "</ram:LineID>",
          "</ram:LineID><ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode>"
        )
        assert.lengthOf((yield* read(grouped)).extras.invoice?.lines ?? [], data.lines.length - 1)
      })
  )

  it.effect("show XML that is uploaded by itself as a page, in any encoding and under both its types", () =>
    Effect.gen(function* () {
      const { expected } = yield* printed
      const xml = cii({ ...eInvoiceOf(expected), seller: "Müller & Söhne" })
      const latin = Buffer.from(xml.replace("UTF-8", "ISO-8859-1"), "latin1")
      const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, "utf16le")])
      for (const [bytes, mimeType] of [
        [xml, "application/xml"],
        [latin, "text/xml"],
        [utf16, "application/octet-stream"],
        [xml.replace(/^<\?xml[^>]*>/u, ""), "text/xml; charset=utf-8"]
      ] as const) {
        const document = yield* read(bytes, mimeType)
        assert.strictEqual(document.extras["mimeType"], "application/xml")
        assert.lengthOf(document.pages, 1)
        const lines = document.pages[0]?.lines.map(({ text }) => text) ?? []
        assert.include(lines, `Invoice Number: ${expected.invoiceNumber}`)
        assert.include(lines, "Seller: Müller & Söhne")
        assert.include(lines, `Total incl. VAT: ${expected.totalAmount} USD`)
        assert.lengthOf(document.pages[0]?.tables?.[0]?.rows ?? [], expected.lineItems.length + 1)
      }
    })
  )

  it.effect("say what XML is that is no invoice", () =>
    Effect.gen(function* () {
      for (const xml of [
        '<?xml version="1.0"?><catalogue><book/></catalogue>',
        '<catalogue xmlns="urn:x"/>',
        "<catalogue\u202E/>",
        '<?xml version="1.0"?><Invoice xmlns="urn:somebody"><ID>1</ID></Invoice>'
      ]) {
        const error = yield* Effect.flip(read(xml, "application/xml"))
        assert.strictEqual(error._tag, "UnreadableDocument")
        assert.match(error.message, /not an electronic invoice: its root element is <(?:catalogue|Invoice)>/u)
      }
    })
  )

  it.effect.skipIf(!isPresent)(
    `are read from every invoice of the corpus that carries one${isPresent ? "" : " (skipped: ../shared/corpus is not here)"}`,
    () =>
      Effect.gen(function* () {
        const manifest = Schema.decodeUnknownSync(Manifest)(
          JSON.parse(readFileSync(`${corpus}manifest.json`, "utf8"))
        )
        const files = manifest.files.filter(
          ({ gt, path }) =>
            gt?.quality === "embedded-xml" && path.endsWith(".pdf") && !path.includes(".scan.")
        )
        assert.isAbove(files.length, 10)
        for (const { path } of files) {
          const { invoice } = (yield* read(readFileSync(corpus + path))).extras
          for (const term of ["BT-1", "BT-2", "BT-5", "BT-27", "BT-109", "BT-112"]) {
            assert.isAtLeast(values(invoice, term).length, 1, `${path} ${term}`)
          }
        }
      }),
    30_000
  )
})
