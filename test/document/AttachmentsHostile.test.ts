import { assert, layer } from "@effect/vitest"
import { deflateSync } from "node:zlib"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { Ocr } from "../../src/providers/ocr/Ocr.ts"
import { cii, eInvoiceOf, withFiles } from "../fixtures/EInvoices.ts"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"

const printed = Effect.promise(() => makeInvoice(exampleInvoice))

const read = Effect.fnUntraced(function* (bytes: Uint8Array | string, mimeType = "application/octet-stream") {
  const reader = yield* DocumentReader
  return yield* reader.read(Buffer.from(bytes), { mimeType })
})

const readWith = Effect.fnUntraced(function* (
  files: ReadonlyArray<{ name: string; content: Uint8Array | string }>
) {
  const { bytes } = yield* printed
  return yield* read(yield* Effect.promise(() => withFiles(bytes, files)))
})

const root =
  '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100">'
const close = "</rsm:CrossIndustryInvoice>"
const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${"&a;".repeat(50)}"><!ENTITY c "${"&b;".repeat(50)}">]>`
const external = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'

/** XML that is not read, and what is said of it. */
const hostile = [
  { what: "entities", xml: `${laughs}${root}<ID>&c;</ID>${close}`, says: "document type declaration" },
  {
    what: "external files",
    xml: `${external}${root}<ID>&x;</ID>${close}`,
    says: "document type declaration"
  },
  {
    what: "deep nesting",
    xml: `${root}${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}${close}`,
    says: "nested too deeply"
  },
  { what: "half a million elements", xml: `${root}${"<a/>".repeat(500_000)}${close}`, says: "more than 400" },
  { what: "half of it", xml: `${root}<ExchangedDocument><ID>1</ID>`, says: "incomplete" },
  { what: "another kind", xml: "<catalogue/>", says: "root element is <catalogue>" },
  { what: "too many bytes", xml: `${root}${" ".repeat(33 * 1024 * 1024)}${close}`, says: "the limit is" }
]

/** A PDF of one empty page whose attached file is a stream of these bytes, with this filter. */
const attachedStream = (stream: Buffer, filter: string, size: number): Buffer => {
  const objects: Array<Buffer> = [
    "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(factur-x.xml) 4 0 R] >> >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
    "<< /Type /Filespec /F (factur-x.xml) /UF (factur-x.xml) /EF << /F 5 0 R >> >>"
  ].map((text) => Buffer.from(text))
  const head = `<< /Type /EmbeddedFile /Subtype /text#2Fxml /Params << /Size ${size} >> /Filter ${filter} /Length ${stream.length} >>\nstream\n`
  objects.push(Buffer.concat([Buffer.from(head), stream, Buffer.from("\nendstream")]))
  let file = Buffer.from("%PDF-1.7\n")
  const offsets = objects.map((object, i) => {
    const at = file.length
    file = Buffer.concat([file, Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")])
    return `${String(at).padStart(10, "0")} 00000 n \n`
  })
  const end = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(end)])
}

layer(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)), { excludeTestServices: true })(
  "hostile files inside a PDF, and hostile XML",
  (it) => {
    it.effect.each(hostile)("with $what are listed with a problem; alone they are refused", ({ says, xml }) =>
      Effect.gen(function* () {
        const { extras, pages } = yield* readWith([{ name: "factur-x.xml", content: xml }])
        assert.include(extras.attachments?.[0]?.problem, says)
        assert.strictEqual(extras.attachments?.[0]?.size, Buffer.byteLength(xml))
        assert.isUndefined(extras.invoice)
        assert.isAbove(pages[0]?.lines.length ?? 0, 10)
        const refused = yield* Effect.flip(read(xml, "application/xml"))
        assert.strictEqual(refused._tag, "UnreadableDocument")
        assert.include(refused.message, says)
      })
    )

    it.effect("do not keep an invoice next to them from being read", () =>
      Effect.gen(function* () {
        const data = eInvoiceOf((yield* printed).expected)
        const others = hostile.slice(0, 5).map(({ xml }, i) => ({ name: `${i}.xml`, content: xml }))
        const { extras } = yield* readWith([...others, { name: "factur-x.xml", content: cii(data) }])
        assert.strictEqual(extras.invoice?.attachment, "factur-x.xml")
        assert.lengthOf(
          (extras.attachments ?? []).filter(({ problem }) => problem !== undefined),
          5
        )
      })
    )

    it.effect("are counted, and only the first of thousands are listed", () =>
      Effect.gen(function* () {
        const many = Array.from({ length: 3000 }, (_, i) => ({ name: `${i}.txt`, content: `file ${i}` }))
        const { extras, pages } = yield* readWith(many)
        assert.lengthOf(extras.attachments ?? [], 100)
        assert.isAtMost((extras.attachments ?? []).filter(({ size }) => size !== undefined).length, 20)
        assert.lengthOf(pages, 1)
      })
    )

    it.effect("may unfold to hundreds of megabytes: the document is read, and the next one too", () =>
      Effect.gen(function* () {
        const bomb = deflateSync(deflateSync(Buffer.alloc(400 * 1024 * 1024, 0x20)))
        const pdf = attachedStream(bomb, "[/FlateDecode /FlateDecode]", 12)
        const { extras, pages } = yield* read(pdf)
        assert.match(extras.attachments?.[0]?.problem ?? "", /too much memory|the limit is|cannot be read/u)
        assert.isUndefined(extras.invoice)
        assert.lengthOf(pages, 1)
        const data = eInvoiceOf((yield* printed).expected)
        const next = yield* readWith([{ name: "factur-x.xml", content: cii(data) }])
        assert.strictEqual(next.extras.invoice?.syntax, "CII")
      })
    )

    it.effect("may hold characters that nothing can keep", () =>
      Effect.gen(function* () {
        const data = { ...eInvoiceOf((yield* printed).expected), seller: "A\u0000B\u0007 C&#0;&#xD800;" }
        const xml = cii(data).replaceAll("&amp;#", "&#")
        const files = [{ name: "a\u0007\u202Eb.xml", content: xml }]
        const { attachments, invoice } = (yield* readWith(files)).extras
        assert.strictEqual(attachments?.[0]?.filename, "ab.xml")
        const seller = invoice?.terms.find(({ term }) => term === "BT-27")?.value ?? ""
        assert.match(seller, /^A B C/u)
        assert.notMatch(seller, /\p{Cc}|\p{Cs}/u)
      })
    )

    it.effect("may lie about their size", () =>
      Effect.gen(function* () {
        const xml = cii(eInvoiceOf((yield* printed).expected))
        for (const claimed of [0, 5, 2_000_000_000]) {
          const pdf = attachedStream(deflateSync(Buffer.from(xml)), "/FlateDecode", claimed)
          const { extras } = yield* read(pdf)
          assert.strictEqual(extras.attachments?.[0]?.size, Buffer.byteLength(xml))
          assert.strictEqual(extras.invoice?.syntax, "CII")
        }
      })
    )

    it.effect("are read as far as an execution can carry them", () =>
      Effect.gen(function* () {
        const data = eInvoiceOf((yield* printed).expected)
        const [line] = data.lines
        const lines = Array.from({ length: 2500 }, () => line).filter((one) => one !== undefined)
        const { extras } = yield* read(cii({ ...data, lines }))
        assert.lengthOf(extras.invoice?.lines ?? [], 2000)
        assert.strictEqual(extras.invoice?.linesLeftOut, 500)
      })
    )
  }
)
