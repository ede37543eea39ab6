import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { nameProofs } from "../../../src/extraction/features/Proofs.ts"
import { isUnsupported } from "../../../src/extraction/features/Unsupported.ts"
import { printed } from "../pages/PrintedLines.ts"

const presets = {
  documentType: "invoice.documentType",
  invoiceNumber: "invoice.number",
  invoiceDate: "invoice.date",
  dueDate: "invoice.dueDate",
  subtotal: "invoice.subtotal",
  taxAmount: "invoice.taxAmount",
  totalAmount: "invoice.totalAmount"
} as const

const read = (lines: ReadonlyArray<string>, options: Parameters<typeof printed>[1] = {}) =>
  extractByRules(printed(lines, options), {
    fields: Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset })),
    relations: ["subtotal + taxAmount = totalAmount"]
  })

const invoice = [
  "INVOICE",
  "Invoice Number: 2025-118",
  "Invoice Date: 14 March 2025",
  "Due Date: 13 April 2025",
  "Widgets   10   120.00   1,200.00"
]

/** The proofs of a recognised name with these features. */
const proofsOfName = (features: Readonly<Record<string, number>>) =>
  nameProofs(
    {
      features: { wordDoubt: 0.1, form: 1, ...features },
      span: { page: 0, row: 0, from: 0, to: 2 },
      bbox: { x: 50, y: 50, w: 120, h: 12 },
      text: "Nordsee Fischfeinkost GmbH",
      value: "Nordsee Fischfeinkost GmbH",
      quality: 0.9,
      score: 0.85
    },
    []
  )

const numbered = (number: string) => [
  ...invoice.slice(0, 1),
  `Invoice Number: ${number}`,
  ...invoice.slice(2),
  "Subtotal 1,200.00",
  "VAT 20% 240.00",
  "Total 1,440.00"
]

const dateOf = (lines: ReadonlyArray<string>, recognised: boolean) =>
  extractByRules(printed(lines, { recognised }), {
    fields: [
      fieldOf("date", { preset: "receipt.date" }),
      fieldOf("totalAmount", { preset: "receipt.totalAmount" })
    ],
    relations: []
  }).pipe(Effect.map(({ date }) => date?.confidence ?? 0))

const receiptOf = (date: string) => ["CAFE ROMA", `Date: ${date}`, "Coffee 3.00", "Total 3.00", "Cash 5.00"]

describe("support", () => {
  it.effect("is sure of amounts with labels of their own and the rate between them", () =>
    Effect.gen(function* () {
      const found = yield* read([...invoice, "Subtotal 1,200.00", "VAT 20% 240.00", "Total 1,440.00"])
      for (const name of ["invoiceNumber", "subtotal", "taxAmount", "totalAmount"])
        assert.isAtLeast(found[name]?.confidence ?? 0, sureFrom, name)
    })
  )

  it.effect("is not sure of a tax that only a sum shows: the balance of the last bill adds up as well", () =>
    Effect.gen(function* () {
      const found = yield* read([
        "WATER BILL",
        "Bill No. 4410-88812-3",
        "Bill Date Mar 11, 2025",
        "Balance forward 7.50",
        "Base charge 38.00",
        "Water 9 CCF 28.44",
        "Sewer 13.00",
        "Current charges 79.44",
        "AMOUNT DUE 86.94"
      ])
      assert.isBelow(found["taxAmount"]?.confidence ?? 0, sureFrom)
    })
  )

  it("is not sure of a net amount that is the total of what is not taxed", () => {
    const subtotal = fieldOf("subtotal", { preset: "invoice.subtotal" })
    const features = { score: 0.9, gap: 0.5, labelsKnown: 4, greatest: 1 }
    assert.isTrue(isUnsupported(subtotal, features))
    assert.isFalse(isUnsupported(subtotal, { ...features, ownLabel: 1 }))
    assert.isFalse(isUnsupported(subtotal, { ...features, byRate: 1 }))
    // `MERCHANDISE` above `FREIGHT` is only a part of the net amount.
    assert.isTrue(isUnsupported(subtotal, { ...features, greatest: 0 }))
    assert.isFalse(isUnsupported(subtotal, { ...features, greatest: 0, inGreatestSum: 1 }))
  })

  it.effect("is not sure of amounts with a minus where nothing says that it is a credit note", () =>
    Effect.gen(function* () {
      const found = yield* read([...invoice, "Subtotal -1,200.00", "VAT 20% -240.00", "Total -1,440.00"])
      for (const name of ["subtotal", "taxAmount", "totalAmount"])
        assert.isBelow(found[name]?.confidence ?? 0, sureFrom, name)
    })
  )

  it.effect("is not sure of a number if another one has the same label", () =>
    Effect.gen(function* () {
      const found = yield* read([...invoice.slice(0, 2), "Invoice Number: 77-4410", ...invoice.slice(2)])
      assert.isBelow(found["invoiceNumber"]?.confidence ?? 0, sureFrom)
    })
  )

  it.effect(
    "is sure of a number right behind a word that may mean something else, if no other number is near it",
    () =>
      Effect.gen(function* () {
        const found = yield* read([
          "Invoice 2025-118",
          "Customer 20117    Order 88-1204",
          ...invoice.slice(2),
          "Subtotal 1,200.00",
          "VAT 20% 240.00",
          "Total 1,440.00"
        ])
        assert.strictEqual(found["invoiceNumber"]?.value, "2025-118")
        assert.isAtLeast(found["invoiceNumber"]?.confidence ?? 0, sureFrom)
      })
  )

  it.effect("is not sure of a number behind capital letters that may be its beginning", () =>
    Effect.gen(function* () {
      const found = yield* read([
        ...invoice.slice(0, 1),
        "Invoice Number: TRF 00871",
        ...invoice.slice(2),
        "Subtotal 1,200.00",
        "VAT 20% 240.00",
        "Total 1,440.00"
      ])
      const { confidence, value } = found["invoiceNumber"] ?? {}
      assert.isTrue(value === "TRF 00871" || (confidence ?? 1) < sureFrom, String(value))
    })
  )

  it.effect("is sure of a number that is printed again as the reference of the payment", () =>
    Effect.gen(function* () {
      const lines = [...invoice.slice(0, 2), "Invoice Number: 77-4410", ...invoice.slice(2), "Total 1,440.00"]
      const once = yield* read(lines)
      assert.isBelow(once["invoiceNumber"]?.confidence ?? 1, sureFrom)
      const twice = yield* read([...lines, "Please quote 2025-118 with your payment"])
      assert.strictEqual(twice["invoiceNumber"]?.value, "2025-118")
      assert.isAtLeast(twice["invoiceNumber"]?.confidence ?? 0, sureFrom)
    })
  )

  it.effect(
    "is sure of a tax that a printed rate leads to, and with it to the greatest amount of the page",
    () =>
      Effect.gen(function* () {
        const found = yield* read([
          ...invoice.slice(0, 4),
          "Widgets   1,200.00",
          "VAT 20%   240.00",
          "1,440.00"
        ])
        assert.strictEqual(found["taxAmount"]?.value, 240)
        assert.isAtLeast(found["taxAmount"]?.confidence ?? 0, sureFrom)
      })
  )

  it.effect(
    "is not sure of sums of a tax breakdown's rows: each is one of a base and its tax, none the greatest",
    () =>
      Effect.gen(function* () {
        const found = yield* read([
          ...invoice,
          "20%   1,000.00   200.00   1,200.00",
          "10%   2,000.00   200.00   2,200.00",
          "Total 3,400.00"
        ])
        for (const name of ["subtotal", "taxAmount"])
          assert.isBelow(found[name]?.confidence ?? 0, sureFrom, name)
      })
  )

  it("is not sure of a logo in large letters with neither a label nor a registration", () => {
    const seller = fieldOf("vendorName", { preset: "invoice.vendorName" })
    const supports = (features: Readonly<Record<string, number>>) =>
      !isUnsupported(seller, {
        gapOdds: 5,
        labelsKnown: 4,
        ...proofsOfName({ wordDoubt: 0, large: 1.4, ...features })
      })
    assert.isFalse(supports({ bare: 1 }))
    assert.isTrue(supports({ bare: 0 }))
    assert.isTrue(supports({ bare: 1, registrationBelow: 1 }))
    assert.isTrue(supports({ bare: 1, ownLabel: 1 }))
  })

  it("is not sure of a recognised seller that nothing shows but its place, unless it leads clearly", () => {
    const seller = fieldOf("vendorName", { preset: "invoice.vendorName" })
    const unshown = (gapOdds: number) =>
      isUnsupported(seller, { ...proofsOfName({}), labelsKnown: 6, gapOdds })
    assert.deepStrictEqual([unshown(2.9), unshown(3.9)], [true, false])
    for (const shown of ["registrationBelow", "contactBelow", "inDomain", "printedAgain"])
      assert.strictEqual(proofsOfName({ [shown]: 1 })["unshown"], 0, shown)
    assert.strictEqual(proofsOfName({ wordDoubt: 0 })["unshown"], 0)
  })

  it.effect("is not sure of a recognised number that mixes letters and figures, which look alike", () =>
    Effect.gen(function* () {
      for (const [number, isSure] of [
        ["FOC8D21A-0007", false],
        ["RE202S/340383", false],
        ["C.20250088", false],
        ["RE2025/340383", true]
      ] as const) {
        const { confidence = 0 } =
          (yield* read(numbered(number), { recognised: true }))["invoiceNumber"] ?? {}
        assert.strictEqual(confidence >= sureFrom, isSure, number)
      }
      const { confidence = 0 } = (yield* read(numbered("FOC8D21A-0007")))["invoiceNumber"] ?? {}
      assert.isAtLeast(confidence, sureFrom)
    })
  )

  it.effect("is not sure of a total in another currency than the document's", () =>
    Effect.gen(function* () {
      const found = yield* extractByRules(
        printed([
          "APOTHEKE ZUM KREUZ",
          "8001 Zürich",
          "14.03.2026 10:12",
          "Ibuprofen   CHF 21.35",
          "Pflaster   CHF 20.00",
          "Betrag   CHF 41.35",
          "Total   EUR 44.95"
        ]),
        {
          fields: Object.entries({
            date: "receipt.date",
            totalAmount: "receipt.totalAmount",
            currency: "invoice.currency"
          } as const).map(([name, preset]) => fieldOf(name, { preset })),
          relations: []
        }
      )
      const { confidence = 0, value } = found["totalAmount"] ?? {}
      assert.strictEqual(found["currency"]?.value, "CHF")
      assert.isTrue(value === 41.35 || confidence < sureFrom, `${String(value)} ${confidence}`)
    })
  )

  it.effect("is not sure of a recognised date of more than ten years ago that is printed once", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 2, 20))
      const recent = receiptOf("14.05.2018")
      const old = receiptOf("14.05.2013")
      const limit = yield* dateOf(old, true)
      assert.isAtMost(limit, 0.75)
      assert.isAbove(yield* dateOf(recent, true), limit)
      assert.isAbove(yield* dateOf(old, false), limit)
      assert.isAbove(yield* dateOf([...old, "14.05.2013 12:04"], true), limit)
    })
  )
})
