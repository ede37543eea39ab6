import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { docx } from "../../document/OfficeFiles.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const table = (...rows: ReadonlyArray<ReadonlyArray<string>>) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`

const lineItems = fieldOf("lineItems", { preset: "invoice.lineItems" })

layer(sharedReader, { excludeTestServices: true })("tables of Word documents", (it) => {
  it.effect("end with their last row: what follows is not its description", () =>
    Effect.gen(function* () {
      const bytes = docx(
        [
          paragraph("Invoice 4711"),
          table(
            ["Description", "Quantity", "Price", "Amount"],
            ["Heather honey", "10", "8.50", "85.00"],
            ["Beeswax candles", "4", "6.00", "24.00"]
          ),
          table(["Carriage", "7.00"], ["Net", "116.00"], ["Total", "116.00"]),
          paragraph("Two per cent off if you pay within a week")
        ].join("")
      )
      const mimeType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
      const document = yield* (yield* DocumentReader).read(Buffer.from(bytes), { mimeType })
      const found = yield* extractByRules(document, { fields: [lineItems], relations: [] })
      const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = Array.isArray(found["lineItems"]?.value)
        ? found["lineItems"].value
        : []
      expect(rows.map(({ description }) => description)).toStrictEqual(["Heather honey", "Beeswax candles"])
    })
  )
})
