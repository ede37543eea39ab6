import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { checkVatId, isIban, isNationalVatId } from "../../../src/extraction/values/CheckedNumbers.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { drawPdf, type Drawn, linesAt } from "../../document/DrawPdf.ts"
import { sharedReader } from "../../support/SharedReader.ts"

describe("IBANs", () => {
  it.each([
    "DE89370400440532013000",
    "GB82WEST12345698765432",
    "NO9386011117947",
    "MT84MALT011000012345MTLCAST001S"
  ])("%s has the right check digits", (iban) => {
    assert.isTrue(isIban(iban))
    const wrong = iban.slice(0, -1) + (iban.endsWith("0") ? "1" : "0")
    assert.isFalse(isIban(wrong), wrong)
    assert.isFalse(isIban(iban.slice(0, -1)))
  })
})

describe("VAT numbers", () => {
  it.each([
    ["DE136695976", "valid"],
    ["DE 136 695 976", "valid"],
    ["DE123456789", "shaped"],
    ["NL810433941B01", "valid"],
    ["CHE-107.787.577", "valid"],
    ["XX123456789", "none"],
    ["DE12", "none"],
    ["INVOICE2024", "none"]
  ] as const)("%s is %s", (text, check) => {
    assert.strictEqual(checkVatId(text), check)
  })

  it("are known without their country too", () => {
    assert.isTrue(isNationalVatId("526-000-12-46"))
    assert.isFalse(isNationalVatId("1234567"))
  })
})

const draw = (texts: ReadonlyArray<Drawn>) =>
  Effect.gen(function* () {
    const bytes = yield* Effect.promise(() => drawPdf([{ texts }]))
    return yield* (yield* DocumentReader).read(bytes, { mimeType: "application/pdf" })
  })

const goods = (text: string, quantity: string, price: string, amount: string, y: number): Array<Drawn> =>
  [text, quantity, price, amount].map((text, i) => ({ text, x: [60, 300, 380, 480][i] ?? 0, y }))

const find = (document: DocumentIR, definitions: Readonly<Record<string, FieldDefinition>>) =>
  extractByRules(document, {
    fields: Object.entries(definitions).map(([name, definition]) => fieldOf(name, definition)),
    relations: []
  })

layer(sharedReader, { excludeTestServices: true })("types, places and days", (it) => {
  it.effect("reads a number of each type next to its label", () =>
    Effect.gen(function* () {
      const document = yield* draw(
        linesAt(60, 100, [
          "Muster GmbH, Hafenstraße 1, 20457 Hamburg, Deutschland",
          "Tel. 040 1234567",
          "E-Mail: rechnung@muster.example",
          "IBAN DE89 3704 0044 0532 0130 00",
          "USt-IdNr. DE136695976",
          "Skonto 2,5 %"
        ])
      )
      const found = yield* find(document, {
        phone: { type: "phone", labels: ["Tel"] },
        mail: { type: "email", labels: ["E-Mail"] },
        iban: { preset: "invoice.iban" },
        vatId: { preset: "invoice.vendorVatId" },
        discount: { type: "percent", labels: ["Skonto"] }
      })
      const values = Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]))
      assert.deepStrictEqual(values, {
        phone: "+49401234567",
        mail: "rechnung@muster.example",
        iban: "DE89370400440532013000",
        vatId: "DE136695976",
        discount: 2.5
      })
    })
  )

  it.effect("takes no IBAN and no VAT number for the number of the invoice", () =>
    Effect.gen(function* () {
      const document = yield* draw(
        linesAt(60, 100, ["Invoice", "DE136695976", "IBAN DE89370400440532013000"])
      )
      const { number } = yield* find(document, { number: { preset: "invoice.number" } })
      assert.isBelow(number?.confidence ?? 0, 0.5)
    })
  )

  it.effect(
    "takes no groups of an account number for an amount, and a bare number behind a label with %",
    () =>
      Effect.gen(function* () {
        const document = yield* draw(
          linesAt(60, 100, [
            "Please transfer the total amount to",
            "account DE44 6405 0000 0000 1234 56",
            "VAT (%)     20",
            "Discount    15"
          ])
        )
        const found = yield* find(document, {
          total: { preset: "invoice.totalAmount" },
          rate: { type: "percent", labels: ["VAT (%)"] },
          discount: { type: "percent", labels: ["Discount"] }
        })
        const values = ["total", "rate", "discount"].map((name) => found[name]?.value ?? null)
        assert.deepStrictEqual(values, [null, 20, null])
      })
  )

  it.effect("looks inside a region, on either side of a label and for its nth place", () =>
    Effect.gen(function* () {
      const document = yield* draw([
        { text: "Ref: A-1", x: 60, y: 80 },
        { text: "Ref: B-2", x: 400, y: 80 },
        { text: "Ref: C-3", x: 60, y: 700 },
        { text: "77 kg", x: 60, y: 400 }
      ])
      const ref = { type: "identifier", labels: ["Ref"] } as const
      const found = yield* find(document, {
        right: { ...ref, region: "top-right" },
        low: { ...ref, region: { left: 0, top: 0.7, right: 0.5, bottom: 1 } },
        second: { ...ref, occurrence: 2 },
        fourth: { ...ref, occurrence: 4 },
        weight: { type: "number", labels: ["kg"], position: "row" }
      })
      assert.strictEqual(found["right"]?.value, "B-2")
      assert.strictEqual(found["low"]?.value, "C-3")
      assert.strictEqual(found["second"]?.value, "B-2")
      assert.strictEqual(found["fourth"]?.status, "missing")
      assert.strictEqual(found["weight"]?.value, 77)
    })
  )

  it.effect("is not sure of a day far from today, and of the same day when it comes", () =>
    Effect.gen(function* () {
      const document = yield* draw(linesAt(60, 100, ["Invoice date: 14 March 2071"]))
      const definitions = { date: { preset: "invoice.date" } } as const
      const early = yield* find(document, definitions)
      assert.strictEqual(early["date"]?.value, "2071-03-14")
      assert.isBelow(early["date"]?.confidence ?? 1, 0.5)
      const late = yield* Effect.provide(
        TestClock.setTime(Date.UTC(2071, 2, 20)).pipe(Effect.andThen(find(document, definitions))),
        TestClock.layer()
      )
      assert.isAbove(late["date"]?.confidence ?? 0, 0.7)
    })
  )

  it.effect("reads 22-04-30 as the Swedes write it", () =>
    Effect.gen(function* () {
      const document = yield* draw(linesAt(60, 100, ["Fakturadatum: 22-04-30", "Bankgiro 123-4567"]))
      const { date } = yield* find(document, { date: { preset: "invoice.date" } })
      assert.strictEqual(date?.value, "2022-04-30")
    })
  )

  it.effect("adds tax at two rates where its sum is not printed, and says that it is nowhere", () =>
    Effect.gen(function* () {
      const document = yield* draw([
        ...linesAt(60, 400, ["Nettobetrag", "MwSt. 7 %", "MwSt. 19 %", "Gesamtbetrag"]),
        ...linesAt(400, 400, ["300,00", "7,00", "38,00", "345,00"])
      ])
      const fields = Object.entries({
        subtotal: { preset: "invoice.subtotal" },
        tax: { preset: "invoice.taxAmount" },
        total: { preset: "invoice.totalAmount" }
      } as const).map(([name, definition]) => fieldOf(name, definition))
      const { tax } = yield* extractByRules(document, { fields, relations: ["subtotal + tax = total"] })
      assert.deepInclude(tax, { value: 45, status: "inferred" })
    })
  )

  it.effect("reads a table without headings by rows that multiply", () =>
    Effect.gen(function* () {
      const document = yield* draw([
        ...goods("Oak boards", "3", "10.50", "31.50", 300),
        ...goods("Copper pipe", "12", "2.25", "27.00", 315),
        ...goods("Cable drum", "1", "99.00", "99.00", 330)
      ])
      const { items } = yield* find(document, { items: { preset: "invoice.lineItems" } })
      assert.deepStrictEqual(items?.value, [
        { description: "Oak boards", quantity: 3, unitPrice: 10.5, amount: 31.5 },
        { description: "Copper pipe", quantity: 12, unitPrice: 2.25, amount: 27 },
        { description: "Cable drum", quantity: 1, unitPrice: 99, amount: 99 }
      ])
    })
  )
})
