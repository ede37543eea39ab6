import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { CorrectedField } from "../../../src/domain/Corrections.ts"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { LearnedExamples } from "../../../src/providers/examples/LearnedExamples.ts"
import { sharedReader } from "../../support/SharedReader.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { taughtBy } from "../../../src/services/examples/TeachExample.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"
import { context } from "../pages/Pages.ts"

const fields = { ...invoiceFields, documentType: { preset: "invoice.documentType", required: true } } as const

/** A page of a chimney sweep; without a title, nothing on it says that it is an invoice. */
const docket = (title: string, number: string, date: string, hours: number): DocumentIR =>
  printedPage(
    [
      title === "" ? "" : `# ${title}`,
      "Tarnwick Chimney Works",
      "3 Tithe Barn Row, Ludlow                    www.tarnwick.example",
      "",
      `Docket                                      ${number}`,
      `Made out                                    ${date}`,
      "",
      "Work                        Hours      Rate        Sum",
      `Sweeping of the flues       ${hours}          40.00       ${hours * 40}.00`,
      "",
      `                            Before VAT             ${hours * 40}.00`,
      `                            VAT at 20%              ${hours * 8}.00`,
      `                            You owe us            £${hours * 48}.00`,
      "",
      "Kindly settle within a fortnight with our branch at Ludlow"
    ].join("\n"),
    { width: 595, height: 842 }
  )

const first = docket("", "CW/0417/K", "7 March 2026", 5)

const run = (document: DocumentIR, examples: ReadonlyArray<ReturnType<typeof taughtBy>>) =>
  extract.run({ document, using: ["examples", "rules"], fields, relations }, context).pipe(
    Effect.provideService(LearnedExamples, {
      similar: () =>
        Effect.succeed(
          examples.flatMap((one) =>
            one === undefined ? [] : [{ id: "ex", executionId: null, learnedAt: 0, ...one }]
          )
        ),
      used: () => Effect.void
    })
  )

/** What the first document teaches once a person gave it a kind, and accepted all else. */
const taughtAs = Effect.fnUntraced(function* (document: DocumentIR, kind: string) {
  const found = yield* run(document, [])
  const corrections = Object.entries(found.fields).map(([field, { value }]): CorrectedField => {
    const accepted = field !== "documentType" || value === kind
    return { step: "fields", field, value: accepted ? value : kind, accepted, by: "key k", at: "" }
  })
  return taughtBy(found.fields, corrections, new Map(document.pages.map((page) => [page.pageNumber, page])))
})

const sureOf = (found: Effect.Success<ReturnType<typeof run>>) =>
  Object.entries(found.fields).flatMap(([name, { confidence }]) => (confidence >= 0.9 ? [name] : []))

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), { excludeTestServices: true })(
  "a kind that a person gave",
  (it) => {
    it.effect("or accepted holds for the next documents of the layout, whose fields may be sure", () =>
      Effect.gen(function* () {
        const example = yield* taughtAs(first, "invoice")
        const next = docket("", "CW/0422/K", "19 March 2026", 11)
        const before = yield* run(next, [])
        expect(before.warnings.join()).toContain("check every field")
        const found = yield* run(next, [example])
        expect(found.values["documentType"]).toBe("invoice")
        expect(found.warnings.join()).not.toContain("check every field")
        expect(sureOf(found)).toEqual(expect.arrayContaining(["documentType", "totalAmount"]))
      })
    )

    it.effect("keeps the fields in doubt where it is no invoice", () =>
      Effect.gen(function* () {
        const example = yield* taughtAs(first, "other")
        const found = yield* run(docket("", "CW/0422/K", "19 March 2026", 11), [example])
        expect(found.fields["documentType"]).toMatchObject({ value: "other", by: "examples" })
        expect(found.warnings.join()).toContain("check every field")
      })
    )

    it.effect("yields to a title that names another kind", () =>
      Effect.gen(function* () {
        const example = yield* taughtAs(first, "invoice")
        const found = yield* run(docket("QUOTATION", "CW/0422/K", "19 March 2026", 11), [example])
        expect(found.values["documentType"]).toBe("quote")
        expect(sureOf(found).filter((name) => name !== "documentType" && name !== "currency")).toEqual([])
      })
    )

    it.effect("outweighs the title that it corrected", () =>
      Effect.gen(function* () {
        const example = yield* taughtAs(docket("QUOTATION", "CW/0417/K", "7 March 2026", 5), "invoice")
        const found = yield* run(docket("QUOTATION", "CW/0422/K", "19 March 2026", 11), [example])
        expect(found.values["documentType"]).toBe("invoice")
        expect(found.warnings.join()).not.toContain("check every field")
      })
    )
  }
)
