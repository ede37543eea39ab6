import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { context } from "../pages/Pages.ts"
import { printed } from "../pages/PrintedLines.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const columns = {
  sku: { type: "identifier", labels: ["SKU"] },
  item: { type: "string", labels: ["Item"] },
  net: { type: "money", labels: ["Net"] }
} as const

const fields: Readonly<Record<string, FieldDefinition>> = {
  net: { preset: "invoice.subtotal" },
  total: { preset: "invoice.totalAmount" },
  lines: { type: "table", columns }
}

const sheet = (subtotal: string) => [
  "Tool Depot Ltd            INVOICE",
  "",
  "SKU     Item                    Net",
  "A-12    Claw hammer           50.00",
  "B-77    Chisel set            60.00",
  "C-03    Panel saw             18.00",
  "",
  `Subtotal                     ${subtotal}`,
  "VAT 20%                       25.60",
  "Total                        153.60"
]

const run = (lines: ReadonlyArray<string>, relations: ReadonlyArray<string>, own = fields) =>
  extract.run(
    { document: printed(lines), using: ["rules"], fields: own, relations, review: { below: 0.9 } },
    context
  )

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), { excludeTestServices: true })(
  "tables with columns of a flow's own",
  (it) => {
    it.effect("are sure where a relation proves them", () =>
      Effect.gen(function* () {
        const found = yield* run(sheet("128.00"), ["sum(lines.net) = net"])
        expect(found.fields["lines"]?.confidence).toBe(0.95)
        expect(found.values["lines"]).toEqual([
          { sku: "A-12", item: "Claw hammer", net: 50 },
          { sku: "B-77", item: "Chisel set", net: 60 },
          { sku: "C-03", item: "Panel saw", net: 18 }
        ])
        expect(found.review.filter(({ field }) => field === "lines")).toEqual([])
      })
    )

    it.effect("are likely without a relation, and say that none proves them", () =>
      Effect.gen(function* () {
        const found = yield* run(sheet("128.00"), [])
        const item = found.review.find(({ field }) => field === "lines")
        expect(item).toMatchObject({ confidence: 0.85 })
        expect(item?.reason).toContain("No relation of the flow")
      })
    )

    it.effect("are in doubt where the relation does not hold", () =>
      Effect.gen(function* () {
        const found = yield* run(sheet("138.00"), ["sum(lines.net) = net"])
        const item = found.review.find(({ field }) => field === "lines")
        expect(item?.confidence).toBeLessThanOrEqual(0.7)
        expect(item?.reason).toContain("128 is not 138")
      })
    )

    it.effect("are not proven by a sum that is printed nowhere", () =>
      Effect.gen(function* () {
        const found = yield* run(sheet("128.00").slice(0, 7), ["sum(lines.net) = net"])
        expect(found.fields["lines"]?.confidence).toBeLessThanOrEqual(0.7)
      })
    )

    it.effect("end at the sums, although the flow asks for none of them", () =>
      Effect.gen(function* () {
        const { values } = yield* run(sheet("128.00"), [], { lines: { type: "table", columns } })
        expect(values["lines"]).toEqual([
          { sku: "A-12", item: "Claw hammer", net: 50 },
          { sku: "B-77", item: "Chisel set", net: 60 },
          { sku: "C-03", item: "Panel saw", net: 18 }
        ])
      })
    )

    it.effect("keep an item that begins with the name of a sum", () =>
      Effect.gen(function* () {
        const lines = sheet("128.00").map((line) =>
          line.startsWith("B-77") ? "B-77    VAT advice            60.00" : line
        )
        const { values } = yield* run(lines, [], { lines: { type: "table", columns } })
        expect(values["lines"]).toContainEqual({ sku: "B-77", item: "VAT advice", net: 60 })
        expect(values["lines"]).toHaveLength(3)
      })
    )

    it.effect("leave out what is carried forward at the end of a page, and its footer", () =>
      Effect.gen(function* () {
        const { values } = yield* run(
          [
            ...sheet("128.00").slice(0, 6),
            "Carried forward              128.00",
            "",
            "Tool Depot Ltd, Leeds     Account 00.41"
          ],
          [],
          { lines: { type: "table", columns: { item: columns.item, net: columns.net } } }
        )
        expect(values["lines"]).toEqual([
          { item: "Claw hammer", net: 50 },
          { item: "Chisel set", net: 60 },
          { item: "Panel saw", net: 18 }
        ])
      })
    )

    it.effect("are not proven by an amount in one of their own rows", () =>
      Effect.gen(function* () {
        const lines = [
          "Tool Depot Ltd            INVOICE",
          "",
          "SKU     Item                    Net",
          "A-12    Net amount of works   60.00",
          "B-77    Credit               -50.00",
          "C-03    Charge                50.00"
        ]
        const found = yield* run(lines, ["sum(lines.net) = net"])
        expect(found.values).toMatchObject({ net: 60, lines: [{ net: 60 }, { net: -50 }, { net: 50 }] })
        expect(found.fields["lines"]?.confidence).toBeLessThanOrEqual(0.7)
      })
    )

    it.effect("keep a narrow column apart from the price next to it, for which the flow does not ask", () =>
      Effect.gen(function* () {
        const lines = [
          "Item             Qty Price      Net",
          "Claw hammer       18 414.73 7465.14",
          "Chisel set         6 288.73 1732.38"
        ]
        const rows = {
          rows: {
            type: "table",
            columns: { item: columns.item, pieces: { type: "number", labels: ["Qty"] }, net: columns.net }
          }
        } as const
        const { values } = yield* run(lines, [], rows)
        expect(values["rows"]).toEqual([
          { item: "Claw hammer", pieces: 18, net: 7465.14 },
          { item: "Chisel set", pieces: 6, net: 1732.38 }
        ])
      })
    )

    it.effect("are in doubt where two headings are labels of one column", () =>
      Effect.gen(function* () {
        const lines = sheet("128.00").map((line) => line.replace("SKU ", "Item").replace("Item  ", "Goods "))
        const item = { type: "string", labels: ["Item", "Goods"] } as const
        const own: typeof fields = {
          ...fields,
          lines: { type: "table", columns: { item, net: columns.net } }
        }
        const found = yield* run(lines, ["sum(lines.net) = net"], own)
        expect(found.review.find(({ field }) => field === "lines")?.reason).toBe(
          "More than one heading is a label of item."
        )
      })
    )

    it.effect("have columns whose headings are signs", () =>
      Effect.gen(function* () {
        const lines = [
          "Inspection sheet",
          "",
          "#   Part              Ø     !       $      *",
          "1   Shaft seal      42.0    A   18.20      H",
          "2   Bearing         47.0    B    9.75      L"
        ]
        const table = {
          rows: {
            type: "table",
            columns: {
              part: { type: "string", labels: ["Part"] },
              class: { type: "string", labels: ["!"] },
              price: { type: "money", labels: ["$"] },
              flag: { type: "string", labels: ["*"] }
            }
          }
        } as const
        const found = yield* run(lines, [], table)
        expect(found.values["rows"]).toEqual([
          { part: "Shaft seal", class: "A", price: 18.2, flag: "H" },
          { part: "Bearing", class: "B", price: 9.75, flag: "L" }
        ])
        expect(found.warnings).toEqual([])
      })
    )

    it.effect("warn about a column that is nowhere", () =>
      Effect.gen(function* () {
        const own: typeof fields = {
          ...fields,
          lines: { type: "table", columns: { ...columns, colour: { type: "string", labels: ["Colour"] } } }
        }
        const found = yield* run(sheet("128.00"), ["sum(lines.net) = net"], own)
        expect(found.warnings).toContain("lines: No heading was found for colour.")
        expect(found.fields["lines"]?.confidence).toBeLessThan(0.9)
      })
    )

    it.effect("do not miss columns of a preset, which documents may leave out", () =>
      Effect.gen(function* () {
        const own: typeof fields = { ...fields, lines: { preset: "invoice.lineItems" } }
        const found = yield* run(sheet("128.00"), ["sum(lines.amount) = net"], own)
        expect(found.warnings.filter((warning) => warning.includes("No heading"))).toEqual([])
      })
    )

    it.effect("name the value that fits nearly as well", () =>
      Effect.gen(function* () {
        const own: typeof fields = { ref: { type: "identifier", labels: ["Ref"] } }
        const found = yield* run(["INVOICE", "Ref: A-100", "Ref: B-200"], [], own)
        expect(found.review.map(({ reason }) => reason)).toEqual(['"B-200" fits nearly as well.'])
      })
    )
  }
)
