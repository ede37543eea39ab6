import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { contentOf, context, documentOf, modelThat, said } from "./SyntheticModel.ts"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { pageLayout } from "../../../src/steps/models/PageLayout.ts"
import { drawPdf } from "../../document/DrawPdf.ts"
import { type Asked, fault } from "../../support/ModelServer.ts"
import { sharedReader } from "../../support/SharedReader.ts"
import { AnsweringModel, propertiesOf } from "./AnsweringModel.ts"

/** A server whose answers have a longest length, as real ones do: what is longer is cut off, and it says so. */
const rowsShown = (asked: Asked) => {
  const items = [...asked.text.matchAll(/^> (Item \d+) .*?([\d.]+)$/gmu)].map(([, what, price]) => ({
    page: null,
    cells: { what, price: Number(price) }
  }))
  const answer = { items }
  const most = Number(Object(asked.body)["max_tokens"])
  return JSON.stringify(answer).length / 4 > most ? fault.cut() : answer
}
const table = { items: { type: "table", columns: { what: "string", price: "money" } } } as const
const cells = (what: string, price: number) => ({ page: 1, cells: { what, price } })
/** The column in which a line has a text, or where it begins. */
const columnOf = (line: string, text: string) =>
  line.includes("|")
    ? line
        .split("|")
        .map((cell) => cell.trim())
        .indexOf(text)
    : line.indexOf(text)

const live = { ...context, environment: "live" as const }
const none = { pageNumber: 1, width: 1, height: 1, lines: [] }

layer(Layer.merge(sharedReader, LocalDocuments.layer), {
  excludeTestServices: true
})("extract with a model: tables and long documents", (it) => {
  it.effect("splits a long document by its pages, and takes the best of each field", () =>
    Effect.gen(function* () {
      const filler = Array.from(
        { length: 30 },
        (_, i) => `Paragraph ${i} of a long contract about nothing in particular.`
      )
      const document = yield* documentOf(
        ["Contract no. C-77 of 3 May 2021", ...filler],
        ["Item one 10.00", ...filler],
        ["Item two 20.00", "Contract no. C-77", ...filler]
      )
      const seen: Array<number> = []
      const model = modelThat((request) => {
        const text = contentOf(request)
        const has = (part: string) => text.includes(part)
        return {
          contract: has("C-77") ? said("C-77", null, null) : said("C-99"),
          day: has("3 May 2021") ? said("2021-05-03") : said(null),
          items: [
            ...(has("Item one") ? [{ page: 2, cells: { what: "Item one", price: 10 } }] : []),
            ...(has("Item two") ? [{ page: 3, cells: { what: "Item two", price: 20 } }] : []),
            // A model repeats itself.
            ...(has("Item two") ? [{ page: 3, cells: { what: "Item two", price: 20 } }] : [])
          ]
        }
      }, 2600)
      const output = yield* extract
        .run(
          {
            document,
            using: ["llm"],
            fields: {
              contract: { type: "identifier" },
              day: { type: "date" },
              items: { type: "table", columns: { what: "string", price: "money" } }
            }
          },
          { ...context, progress: (fraction) => Effect.sync(() => seen.push(fraction)) }
        )
        .pipe(Effect.provide(model.layer))
      assert.isAbove(model.asked.length, 2)
      assert.deepStrictEqual(output.values, {
        contract: "C-77",
        day: "2021-05-03",
        items: [
          { what: "Item one", price: 10 },
          { what: "Item two", price: 20 }
        ]
      })
      assert.deepInclude(output.fields["items"], { status: "grounded", page: 2 })
      assert.strictEqual(output.tokensUsed, 110 * model.asked.length)
      assert.match(output.warnings.join("\n"), /^contract: the model reads C-77 .*C-99/mu)
      assert.isAtLeast(seen.length, model.asked.length)
    })
  )

  it.effect("says which cells of a table are nowhere, and empties them where the flow refuses them", () =>
    Effect.gen(function* () {
      const document = yield* documentOf(["Bolts 4 2.00 8.00", "Nuts 10 1.50 15.00", "Total 23.00"])
      const rows = [
        { page: 1, cells: { what: "Bolts", amount: 8 } },
        { page: 1, cells: { what: "Nuts", amount: 16 } }
      ]
      const model = modelThat(() => ({ items: rows }))
      const run = (grounded: boolean) =>
        extract
          .run(
            {
              document,
              using: ["llm"],
              fields: {
                items: { type: "table", columns: { what: "string", amount: "money" }, grounded }
              }
            },
            context
          )
          .pipe(Effect.provide(model.layer))
      const open = yield* run(false)
      assert.strictEqual(open.fields["items"]?.status, "inferred")
      assert.match(open.warnings[0] ?? "", /items: row 2 amount does not appear/u)
      const strict = yield* run(true)
      assert.strictEqual(strict.fields["items"]?.status, "grounded")
      assert.deepStrictEqual(strict.values["items"], [
        { what: "Bolts", amount: 8 },
        { what: "Nuts", amount: null }
      ])
    })
  )

  it.effect.each([
    [150, 131_000],
    [100, 8000]
  ] as const)("reads all of %s rows with any context", ([count, contextTokens]) =>
    Effect.gen(function* () {
      const lines = Array.from({ length: count }, (_, row) => `Item ${row + 1} of steel ${row + 1}.50`)
      const pages = Array.from({ length: Math.ceil(count / 50) }, (_, page) =>
        lines.slice(50 * page, 50 * (page + 1))
      )
      const document = yield* documentOf(...pages)
      // It never says more than this, whatever it is asked for.
      const model = new AnsweringModel((asked) => {
        const answer = rowsShown(asked)
        return JSON.stringify(answer).length > 6000 ? fault.cut() : answer
      }, contextTokens)
      const output = yield* extract
        .run({ document, using: ["llm"], fields: table }, live)
        .pipe(Effect.provide(model.layer))
      assert.deepStrictEqual(
        output.values["items"],
        lines.map((_, row) => ({ what: `Item ${row + 1}`, price: row + 1.5 }))
      )
      assert.isAtMost(model.asked.length, 12)
    })
  )

  it.effect("is asked again with more room where an answer without rows is cut off", () =>
    Effect.gen(function* () {
      const document = yield* documentOf(["Contract C-77"])
      const model = new AnsweringModel((asked) =>
        Number(Object(asked.body)["max_tokens"]) < 1000 ? fault.cut() : { contract: said("C-77") }
      )
      const output = yield* extract
        .run({ document, using: ["llm"], fields: { contract: { type: "identifier" } } }, live)
        .pipe(Effect.provide(model.layer))
      assert.strictEqual(output.values["contract"], "C-77")
      assert.deepStrictEqual([model.asked.length, output.tokensUsed], [2, 300])
    })
  )

  it.effect("adds in another pass the rows that were overlooked, in their place and none twice", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 24 }, (_, row) => `Item ${row + 1} of steel ${row + 1}.50`)
      const document = yield* documentOf(["Contract C-77", ...lines], [...lines.slice(0, 3), "Total 312.00"])
      const run = Effect.fnUntraced(function* (passes: number) {
        // It overlooks each third row of a long part, invents one, and reads some in another way each time.
        const model = new AnsweringModel((asked, count) => {
          const { items } = Object(rowsShown(asked))
          const read = items.filter((_: unknown, at: number) => items.length < 20 || at % 3 !== 1)
          if (count > 1 && read.length > 1) read[0] = cells("Item", read[0].cells.price)
          return {
            ...(propertiesOf(asked).includes("contract") ? { contract: said("C-77") } : {}),
            items: [...read, { page: null, cells: { what: "Item 99", price: 99.5 } }]
          }
        })
        const { values, warnings } = yield* extract
          .run(
            {
              document,
              using: ["llm"],
              passes,
              fields: { ...table, contract: { type: "identifier" } }
            },
            live
          )
          .pipe(Effect.provide(model.layer))
        return { items: values["items"], asked: model.asked, warnings }
      })
      const rows = [...lines, ...lines.slice(0, 3)].map((line) => {
        const [, what, price] = /^(Item \d+).* ([\d.]+)$/u.exec(line) ?? []
        return { what, price: Number(price) }
      })
      const invented = { what: "Item 99", price: 99.5 }
      const once = yield* run(1)
      assert.lengthOf(once.asked, 1)
      assert.deepStrictEqual(once.items, [...rows.filter((_, at) => at % 3 !== 1), invented])
      const twice = yield* run(2)
      const [first, ...again] = twice.asked.map((asked) => propertiesOf(asked).toSorted().join())
      assert.strictEqual(first, "contract,items")
      assert.deepStrictEqual([...new Set(again)], ["items"])
      assert.deepStrictEqual(twice.items, [...rows, invented])
    })
  )

  it.effect("finds no row in cells of two", () =>
    Effect.gen(function* () {
      const document = yield* documentOf(["Bolts 8.00", "Nuts 15.00", "Washers 3.50"])
      const shifted = [cells("Bolts", 15), cells("Nuts", 3.5), cells("Washers", 3.5)]
      const model = modelThat(() => ({ items: shifted }))
      const { fields, warnings } = yield* extract
        .run({ document, using: ["llm"], fields: table }, context)
        .pipe(Effect.provide(model.layer))
      assert.strictEqual(fields["items"]?.status, "inferred")
      assert.isAtMost(fields["items"]?.confidence ?? 1, 0.5)
      assert.match(warnings.join(), /items: row 1 price, row 2 price do not appear in the row/u)
    })
  )

  it.effect("shows what is side by side apart, and each amount in its column", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const shownWith = Effect.fnUntraced(function* (x: number) {
        const texts = [
          { text: "Northwind Paper", x: 60, y: 60 },
          { text: "Contoso Retail", x: 300, y: 60 },
          ...["Date", "Text", "Debit", "Credit"].map((text, at) => ({ text, x: 60 + 90 * at, y: 120 })),
          { text: "1 May", x: 60, y: 134 },
          { text: "Rent", x: 150, y: 134 },
          { text: "300.00", x, y: 134 }
        ]
        const bytes = yield* Effect.promise(() => drawPdf([{ texts }]))
        return pageLayout((yield* reader.read(bytes, { mimeType: "application/pdf" })).pages[0] ?? none)
      })
      const [parties, heading = "", row = ""] = yield* shownWith(240)
      assert.match(parties ?? "", /^Northwind Paper( {2,}| \| )Contoso Retail$/u)
      assert.strictEqual(columnOf(row, "300.00"), columnOf(heading, "Debit"))
      const [, names = "", other = ""] = yield* shownWith(330)
      assert.strictEqual(columnOf(other, "300.00"), columnOf(names, "Credit"))
    })
  )

  it.effect("calls no value grounded that is there by chance", () =>
    Effect.gen(function* () {
      const document = yield* documentOf([
        "Acme Ltd, 30 Baker Street",
        "Rate 19 % of 500.00",
        "Total 600.00",
        "Remarks: N/A"
      ])
      const run = (value: unknown, quote: string, field: "days" | "sum" | "rate" | "note") =>
        Effect.map(
          extract
            .run(
              {
                document,
                using: ["llm"],
                fields: {
                  days: { type: "integer" },
                  sum: { type: "money" },
                  rate: { type: "percent" },
                  note: { type: "string" }
                }
              },
              context
            )
            .pipe(Effect.provide(modelThat(() => ({ [field]: said(value, quote, 1) })).layer)),
          ({ fields }) => fields[field]?.status
        )
      // The number of a house, quoted in words that are nowhere.
      assert.strictEqual(yield* run(30, "payable within 30 days", "days"), "inferred")
      // Words that name another figure.
      assert.strictEqual(yield* run(500, "Total 600.00", "sum"), "inferred")
      assert.strictEqual(yield* run(600, "Total 600.00", "sum"), "grounded")
      assert.strictEqual(yield* run(600, "Total", "sum"), "grounded")
      // A figure that is printed otherwise.
      assert.strictEqual(yield* run(0.19, "Rate 19 %", "rate"), "inferred")
      assert.strictEqual(yield* run(19, "Rate 19 %", "rate"), "grounded")
      assert.strictEqual(yield* run("N/A", "Remarks: N/A", "note"), "missing")
    })
  )
})
