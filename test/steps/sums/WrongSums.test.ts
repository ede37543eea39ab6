import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { test } from "vitest"
import { parseMoney } from "../../../src/extraction/values/Money.ts"
import { readPrinted } from "../pages/ReadPrinted.ts"

const invoice = (subtotal: string, tax: string, total: string) => [
  "Harbour Joinery Ltd",
  "Invoice HJ-2031           Date 14 May 2025",
  "Description                 Qty     Price    Amount",
  "Sash window, restored         2    280.00    560.00",
  "Fitting                       4     50.00    200.00",
  `Subtotal                                     ${subtotal}`,
  `VAT 20%                                      ${tax}`,
  `Total                                       £${total}`
]

const hungarian = (total: string) => [
  "Villámszer Kft.",
  "SZÁMLA",
  "Megnevezés                  Menny.   Nettó egységár   Nettó érték   ÁFA    Bruttó érték",
  "Villanyszerelési munkadíj       16            9 500       152 000   27%         193 040",
  "Elosztódoboz 24 modul            1           98 500        98 500   27%         125 095",
  "ÁFA összesítő                                               Nettó    ÁFA          Bruttó",
  "27%                                                       250 500  67 635        318 135",
  `Fizetendő összesen: ${total} Ft`
]

const sums = ["subtotal", "taxAmount", "totalAmount"] as const

describe("sums that are wrong on paper", () => {
  it.effect("are read as they are printed, and none of them is sure", () =>
    Effect.gen(function* () {
      for (const [subtotal, tax, total] of [
        ["760.00", "152.00", "922.00"],
        ["760.00", "125.00", "912.00"],
        ["670.00", "152.00", "912.00"]
      ] as const) {
        const { found, values } = yield* readPrinted(invoice(subtotal, tax, total))
        assert.deepStrictEqual(
          sums.map((name) => values[name]),
          [Number(subtotal), Number(tax), Number(total)]
        )
        for (const name of sums) assert.isBelow(found[name]?.confidence ?? 1, 0.9, name)
      }
    })
  )

  it.effect("are no reason to doubt those that are right, nor to leave out one that is not printed", () =>
    Effect.gen(function* () {
      const right = yield* readPrinted(invoice("760.00", "152.00", "912.00"))
      for (const name of sums) assert.isAtLeast(right.found[name]?.confidence ?? 0, 0.9, name)
      const { values } = yield* readPrinted(
        invoice("760.00", "152.00", "912.00").filter((line) => !line.startsWith("VAT"))
      )
      assert.strictEqual(values["taxAmount"], 152)
    })
  )

  it.effect("put all who take part in doubt, also where only the total has a label", () =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted(hungarian("3 318 135"))
      assert.strictEqual(values["totalAmount"], 3318135)
      for (const name of sums) assert.isBelow(found[name]?.confidence ?? 1, 0.8, name)
    })
  )

  it.effect("are not those with an amount outside of the tax", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "Albergo Bellavista S.n.c.",
        "FATTURA n. 347/2025 del 19 agosto 2025",
        "Imponibile IVA 10%        610,91",
        "IVA 10%                    61,09",
        "Fuori campo IVA            18,00",
        "TOTALE EURO               690,00"
      ])
      assert.deepStrictEqual(
        sums.map((name) => values[name]),
        [610.91, 61.09, 690]
      )
    })
  )
})

describe("amounts that are printed in two currencies", () => {
  it.effect("are not sure where neither is surely that of the document", () =>
    Effect.gen(function* () {
      const { found } = yield* readPrinted([
        "TRANS-KOWAL Marek Kowal, Rzeszów, NIP PL8131188204",
        "mBank EUR: PL44 1140 2004 0000 3512 0441 1882, SWIFT BREXPLPW",
        "FAKTURA nr FVS/118/09/2025        Data wystawienia 05.09.2025",
        "Usługa transportowa               1      1 450,00      1 450,00",
        "                             Netto: 1 450,00 EUR",
        "                             Razem do zapłaty / Total: 1 783,50 EUR",
        "Wartość netto 6 163,95 PLN, VAT 1 417,71 PLN, brutto 7 581,66 PLN."
      ])
      assert.isBelow(found["currency"]?.confidence ?? 0, 0.9)
      for (const name of sums) assert.isBelow(found[name]?.confidence ?? 0, 0.9, name)
    })
  )
})

describe("a total that is printed in another currency", () => {
  it.effect("puts the currency and all sums in doubt, however often the currency is printed", () =>
    Effect.gen(function* () {
      const { found } = yield* readPrinted([
        "TRANS-KOWAL Marek Kowal, Rzeszów, NIP PL8131188204",
        "FAKTURA nr FVS/118/09/2025        Data wystawienia 05.09.2025",
        "Usługa transportowa               1      1 450,00      1 450,00",
        "                             Razem do zapłaty / Total: 1 783,50 EUR",
        "Wartość netto 6 163,95 PLN, VAT 1 417,71 PLN, brutto 7 581,66 PLN."
      ])
      assert.isBelow(found["currency"]?.confidence ?? 0, 0.9)
      for (const name of sums) assert.isBelow(found[name]?.confidence ?? 0, 0.9, name)
    })
  )
})

test("an amount whose comma was recognised as a point is no hundred times more", () => {
  const values = ["42.500.00", "42,500,00", "1.234.567", "42.500,00"].map(
    (text) => parseMoney(text, ",")?.value
  )
  assert.deepStrictEqual(values, [42500, 42500, 1234567, 42500])
})
