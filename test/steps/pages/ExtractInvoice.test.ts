import { assert, layer } from "@effect/vitest"
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect, Layer, Option, Result, Schema } from "effect"
import { check } from "../../../dsl/check/Check.ts"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import type { FieldEvidence } from "../../../src/domain/Evidence.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { allSteps } from "../../../src/steps/All.ts"
import { extract, ExtractConfig } from "../../../src/steps/Extract.ts"
import { allInvoices, makeInvoice } from "../../fixtures/Invoices.ts"
import { drawPdf, type Drawn, linesAt } from "../../document/DrawPdf.ts"
import { invoiceFields as fields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const context: StepContext = {
  executionId: "e",
  path: "fields",
  environment: "test",
  progress: () => Effect.void
}

const readPdf = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const reader = yield* DocumentReader
  return yield* reader.read(bytes, { mimeType: "application/pdf" })
})

const invoiceFields = (document: DocumentIR) =>
  extract.run({ document, using: ["rules"], fields, relations }, context)

const drawn = (texts: ReadonlyArray<Drawn>) =>
  Effect.promise(() => drawPdf([{ texts }])).pipe(Effect.flatMap(readPdf))

/** The text of the words that lie in a box. */
const textIn = (document: DocumentIR, { page, bbox }: FieldEvidence): string =>
  (document.pages.find(({ pageNumber }) => pageNumber === page)?.lines ?? [])
    .flatMap((line) => line.words ?? [])
    .filter(
      (word) =>
        bbox !== undefined &&
        word.bbox.x >= bbox.x - 0.5 &&
        word.bbox.x + word.bbox.w <= bbox.x + bbox.w + 0.5 &&
        word.bbox.y >= bbox.y - 0.5 &&
        word.bbox.y + word.bbox.h <= bbox.y + bbox.h + 0.5
    )
    .map((word) => word.text)
    .join(" ")

/** Every other one: each layout in several languages, and each language in several layouts. */
const someInvoices = allInvoices.filter((_, at) => at % 2 === 0)

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), {
  excludeTestServices: true
})("extract", (it) => {
  it.effect.each(someInvoices)(
    "reads every field of the synthetic invoice $layout $language $currency",
    (options) =>
      Effect.gen(function* () {
        const invoice = yield* Effect.promise(() => makeInvoice(options))
        const document = yield* readPdf(invoice.bytes)
        const output = yield* invoiceFields(document)
        assert.deepInclude(output.values, { ...invoice.expected, documentType: "invoice" })
        for (const [name, evidence] of Object.entries(output.fields)) {
          if (evidence.status !== "grounded" || name === "lineItems") continue
          const inside = textIn(document, evidence)
          assert.isTrue(inside.includes(evidence.text ?? "?"), `${name}: "${inside}" has "${evidence.text}"`)
          assert.isTrue(evidence.confidence > 0.5, `${name} ${evidence.confidence}`)
        }
      })
  )

  it.effect("says the page as the whole file counts it, of lines too, where a part of the file is read", () =>
    Effect.gen(function* () {
      const [options] = allInvoices
      if (options === undefined) return assert.fail("there is no synthetic invoice")
      const { bytes } = yield* Effect.promise(() => makeInvoice(options))
      const { pages, ...rest } = yield* readPdf(bytes)
      const third = {
        ...rest,
        pages: pages.map((page) => Object.assign({}, page, { pageNumber: page.pageNumber + 2 }))
      }
      const { fields } = yield* invoiceFields(third)
      assert.strictEqual(fields["lineItems"]?.page, 3)
      assert.strictEqual(fields["totalAmount"]?.page, 3)
    })
  )

  it.effect("finds tax by the sums where two labels fit, and adds confidence", () =>
    Effect.gen(function* () {
      const labels = ["Net amount", "VAT 7%", "VAT 19%", "VAT total", "Total", "Amount due"]
      const amounts = ["300.00", "7.00", "38.00", "45.00", "345.00", "300.00"]
      const document = yield* drawn([...linesAt(60, 400, labels), ...linesAt(400, 400, amounts)])
      const { values, fields } = yield* invoiceFields(document)
      assert.deepInclude(values, { subtotal: 300, taxAmount: 45, totalAmount: 345 })
      assert.isAbove(fields["totalAmount"]?.confidence ?? 0, 0.65)
    })
  )

  it.effect("says what is missing instead of guessing", () =>
    Effect.gen(function* () {
      const document = yield* drawn(linesAt(60, 100, ["Dear neighbour,", "thank you for the apples."]))
      const { values, fields } = yield* invoiceFields(document)
      for (const name of ["invoiceNumber", "invoiceDate", "dueDate", "currency", "totalAmount"]) {
        assert.strictEqual(values[name], null, name)
        assert.deepInclude(fields[name], { status: "missing", confidence: 0 })
      }
      assert.deepStrictEqual(values["lineItems"], [])
    })
  )

  it.effect("gives the amounts of a credit note without a minus", () =>
    Effect.gen(function* () {
      const document = yield* drawn([
        { text: "GUTSCHRIFT", x: 60, y: 80, size: 20 },
        ...linesAt(60, 200, ["Gutschrift Nr. GS-77", "Nettobetrag", "MwSt", "Gesamtbetrag"]),
        ...linesAt(300, 213, ["-100,00 €", "-19,00 €", "-119,00 €"])
      ])
      const { values, fields } = yield* invoiceFields(document)
      assert.deepInclude(values, {
        documentType: "credit-note",
        invoiceNumber: "GS-77",
        subtotal: 100,
        taxAmount: 19,
        totalAmount: 119
      })
      assert.strictEqual(fields["totalAmount"]?.text, "-119,00 €")
    })
  )

  it.effect("decides 03/04 by the other dates of the document, or as it is told", () =>
    Effect.gen(function* () {
      const proven = yield* drawn(linesAt(60, 100, ["Invoice date: 03/04/2024", "Due date: 03/28/2024"]))
      assert.strictEqual((yield* invoiceFields(proven)).values["invoiceDate"], "2024-03-04")
      const open = yield* drawn(linesAt(60, 100, ["Invoice date: 03/04/2024"]))
      assert.strictEqual((yield* invoiceFields(open)).values["invoiceDate"], "2024-04-03")
      const told = yield* extract.run(
        { document: open, using: ["rules"], fields, locale: { dateOrder: "MDY" } },
        context
      )
      assert.strictEqual(told.values["invoiceDate"], "2024-03-04")
    })
  )

  it.effect("does not take the customer for the seller", () =>
    Effect.gen(function* () {
      const document = yield* drawn([
        ...linesAt(60, 60, ["Bill to:", "Big Customer Corporation Ltd.", "1 High Street"]),
        ...linesAt(380, 60, ["Small Workshop", "12 Back Lane", "info@smallworkshop.com"])
      ])
      assert.strictEqual((yield* invoiceFields(document)).values["vendorName"], "Small Workshop")
    })
  )

  it.effect("reads fields of a flow's own: labels, patterns, types, tables", () =>
    Effect.gen(function* () {
      const document = yield* drawn([
        ...linesAt(60, 100, [
          "Policy holder: Ada Lovelace",
          "Policy: ABC-1234/9",
          "Insured since 1 May 2020"
        ]),
        ...linesAt(60, 150, ["Number of persons: 4", "Smoker: no", "Sum insured (EUR): 250.000,00"]),
        ...linesAt(60, 240, ["Risk", "Fire", "Water damage"]),
        ...linesAt(300, 240, ["Premium", "120,50", "80,00"])
      ])
      const { values } = yield* extract.run(
        {
          document,
          using: ["rules"],
          fields: {
            holder: { type: "string", labels: ["Policy holder"] },
            policy: { type: "string", pattern: "([A-Z]{3}-[0-9]{4})/" },
            since: { type: "date", labels: ["Insured since"] },
            persons: { type: "integer", labels: ["Number of persons"] },
            smoker: { type: "boolean", labels: ["Smoker"] },
            insured: { type: "money", labels: ["Sum insured (EUR)"] },
            risks: {
              type: "table",
              columns: {
                risk: { type: "string", labels: ["Risk"] },
                premium: { type: "money", labels: ["Premium"] }
              }
            }
          }
        },
        context
      )
      assert.deepStrictEqual(values, {
        holder: "Ada Lovelace",
        policy: "ABC-1234",
        since: "2020-05-01",
        persons: 4,
        smoker: false,
        insured: 250000,
        risks: [
          { risk: "Fire", premium: 120.5 },
          { risk: "Water damage", premium: 80 }
        ]
      })
    })
  )

  it.effect("fails with the setting's name where a model is asked for and none is set", () =>
    Effect.gen(function* () {
      const document = yield* drawn(linesAt(60, 100, ["nothing here"]))
      const run = extract.run({ document, using: ["rules", "llm"], fields }, context)
      const error = yield* Effect.flip(run)
      assert.strictEqual(error._tag, "LlmFailure")
      assert.include(error.message, "DOCFLOW_LLM")
    })
  )

  it.effect("describes its output by the fields asked for", () =>
    Effect.sync(() => {
      const type = extract.outputType?.(
        { fields: { total: { type: "money", required: true }, day: { type: "date" } } },
        {}
      )
      assert.deepInclude(type?.["properties"], {
        values: {
          type: "object",
          required: ["total", "day"],
          properties: {
            total: { type: "number" },
            day: { type: ["string", "null"], format: "date" }
          },
          additionalProperties: false
        }
      })
    })
  )

  it.effect("refuses settings that do not exist", () =>
    Effect.sync(() => {
      const config = { document: { pages: [], extras: { pageCount: 0 } }, using: ["magic"], fields: {} }
      assert.isTrue(Option.isNone(Schema.decodeUnknownOption(ExtractConfig)(config)))
    })
  )

  it.effect("is what the shipped flow `invoice` uses, and the flow passes its check", () =>
    Effect.sync(() => {
      const file = "flows/invoice/1.0.0.yaml"
      const checked = check(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8"), {
        file,
        registry: allSteps,
        sha256: (text) => hash("sha256", text),
        formats: DocumentReader.formats
      })
      assert.deepStrictEqual(Result.isFailure(checked) ? checked.failure : [], [])
    })
  )
})
