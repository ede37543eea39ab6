import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import { Ocr } from "../../src/providers/ocr/Ocr.ts"
import { docx, xlsx, zip } from "./OfficeFiles.ts"
import { defined } from "../../src/support/Defined.ts"

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const anything = { mimeType: "application/octet-stream" }

/** What a reader says of a document that it refuses. */
const refusal = Effect.fnUntraced(function* (bytes: Uint8Array, mimeType = anything.mimeType) {
  const reader = yield* DocumentReader
  const error = yield* Effect.flip(reader.read(bytes, { mimeType }))
  assert.strictEqual(error._tag, "UnreadableDocument")
  return error.message
})

const readText = Effect.fnUntraced(function* (bytes: Uint8Array | string) {
  const reader = yield* DocumentReader
  const { pages } = yield* reader.read(Buffer.from(bytes), anything)
  return pages.map((page) => page.problem ?? page.lines.map((line) => line.text).join("\n"))
})

/** The same bytes again and again are smallest when packed. */
const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 0x20)

/** A Word document whose text is the given bytes; `claimed` is the size that the archive says they have. */
const large = (content: Uint8Array, claimed?: number) =>
  zip([
    {
      name: "[Content_Types].xml",
      content: `<Types><Override ContentType="${word}.main+xml"/></Types>`
    },
    { name: "word/document.xml", content, ...defined({ claimed }) }
  ])

layer(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)), { excludeTestServices: true })(
  "hostile office files",
  (it) => {
    it.effect("refuses document types, and so entities and external files", () =>
      Effect.gen(function* () {
        const laughs = `<!DOCTYPE w:document [<!ENTITY a "ha"><!ENTITY b "${"&a;".repeat(50)}"><!ENTITY c "${"&b;".repeat(50)}">]>`
        const external = '<!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        for (const prolog of [laughs, external]) {
          const message = yield* refusal(docx(paragraph("&c;&x;"), prolog))
          assert.include(message, "document type declaration")
        }
        // Without a declaration an entity is nothing but its name.
        assert.deepStrictEqual(yield* readText(docx(paragraph("&x;"))), ["The header\n&x;"])
      })
    )

    it.effect("refuses archives that unfold to too much, long before they take too long", () =>
      Effect.gen(function* () {
        const bomb = docx(paragraph("x"), "", [])
        assert.include(yield* refusal(large(megabytes(100))), "decompressed document is too large")
        assert.include(yield* refusal(large(megabytes(12))), "decompressed document is too large")
        // An archive that lies about its size is stopped when it is found out.
        assert.include(yield* refusal(large(megabytes(100), 1000)), "damaged")
        assert.include(
          yield* refusal(zip(Array.from({ length: 10_050 }, (_, i) => ({ name: `${i}`, content: "" })))),
          "decompressed document is too large"
        )
        assert.deepStrictEqual(yield* readText(bomb), ["The header\nx"])
      })
    )

    it.effect("refuses archives that are cut off, changed, or no documents", () =>
      Effect.gen(function* () {
        const whole = docx(paragraph("some words to be changed"))
        assert.include(yield* refusal(whole.subarray(0, whole.length / 2)), "damaged")
        const changed = Buffer.from(whole)
        const at = changed.indexOf("word/document.xml") + 30
        changed.fill(0x55, at, at + 8)
        assert.include(yield* refusal(changed), "damaged")
        assert.include(yield* refusal(zip([{ name: "a.txt", content: "a" }])), "application/zip")
        assert.include(yield* refusal(Buffer.from("not a document"), word), "declared as")
        const encrypted = Buffer.concat([
          Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
          Buffer.alloc(512),
          Buffer.from("EncryptedPackage", "utf16le")
        ])
        assert.include(yield* refusal(encrypted), "protected by a password")
      })
    )

    it.effect("bounds nesting and cells far away", () =>
      Effect.gen(function* () {
        const deep = docx("<w:tbl><w:tr><w:tc>".repeat(400))
        assert.include(yield* refusal(deep), "nested too deeply")
        const html = yield* readText(`<html><body>${"<div>".repeat(20_000)}deep`)
        assert.deepStrictEqual(html, ["deep"])
        const far = xlsx([
          [
            "S",
            '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
          ]
        ])
        assert.deepStrictEqual(yield* readText(far), ["S\n1\n2"])
      })
    )

    it.effect("does not run scripts, and follows nothing that a page or a mail names", () =>
      Effect.gen(function* () {
        const page =
          '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>&x;seen</p><iframe src="file:///etc/passwd">no</iframe><object data="http://127.0.0.1:1/">no</object></body></html>'
        const [text = ""] = yield* readText(page)
        assert.include(text, "seen")
        assert.notInclude(text, "root:")
        assert.notInclude(text, "no")
      })
    )
  }
)
