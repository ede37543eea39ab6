import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { contentOf, context, documentOf, modelThat, said } from "./SyntheticModel.ts"
import { sharedReader } from "../../support/SharedReader.ts"

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
})
