import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { readPage, readPrinted } from "../pages/ReadPrinted.ts"

const sums = ["subtotal", "taxAmount", "totalAmount"] as const

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

const hungarian = [
  "Villámszer Kft.",
  "SZÁMLA",
  "Megnevezés                  Menny.   Nettó egységár   Nettó érték   ÁFA    Bruttó érték",
  "Villanyszerelési munkadíj       16            9 500       152 000   27%         193 040",
  "Elosztódoboz 24 modul            1           98 500        98 500   27%         125 095",
  "ÁFA összesítő                                               Nettó    ÁFA          Bruttó",
  "27%                                                       250 500  67 635        318 135",
  "Fizetendő összesen: 3 318 135 Ft"
]

describe("sums that are wrong on paper", () => {
  it.effect.each<[string, string, string]>([
    ["760.00", "152.00", "922.00"],
    ["760.00", "125.00", "912.00"],
    ["670.00", "152.00", "912.00"]
  ])("are read as they are printed, and none of them is sure: %s, %s, %s", (amounts) =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted(invoice(...amounts))
      assert.deepStrictEqual(
        sums.map((name) => values[name]),
        amounts.map(Number)
      )
      for (const name of sums) assert.isBelow(found[name]?.confidence ?? 1, 0.9, name)
    })
  )

  it.effect("are no reason to doubt those that are right, nor to leave out one that is not printed", () =>
    Effect.gen(function* () {
      const lines = invoice("760.00", "152.00", "912.00")
      const { found } = yield* readPrinted(lines)
      for (const name of sums) assert.isAtLeast(found[name]?.confidence ?? 0, 0.9, name)
      const { values } = yield* readPrinted(lines.filter((line) => !line.startsWith("VAT")))
      assert.strictEqual(values["taxAmount"], 152)
    })
  )

  it.effect("put all who take part in doubt, even where only the total has a label", () =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted(hungarian)
      assert.strictEqual(values["totalAmount"], 3318135)
      for (const name of sums) assert.isBelow(found[name]?.confidence ?? 1, 0.8, name)
    })
  )
})

it.effect.each([
  [
    "with an account of its currency",
    [
      "mBank EUR: PL44 1140 2004 0000 3512 0441 1882, SWIFT BREXPLPW",
      "                             Netto: 1 450,00 EUR"
    ]
  ],
  ["alone", []]
] as const)("sums in two currencies are not sure, nor is the currency: %s", ([, more]) =>
  Effect.gen(function* () {
    const { found } = yield* readPrinted([
      "TRANS-KOWAL Marek Kowal, Rzeszów, NIP PL8131188204",
      ...more.slice(0, 1),
      "FAKTURA nr FVS/118/09/2025        Data wystawienia 05.09.2025",
      "Usługa transportowa               1      1 450,00      1 450,00",
      ...more.slice(1),
      "                             Razem do zapłaty / Total: 1 783,50 EUR",
      "Wartość netto 6 163,95 PLN, VAT 1 417,71 PLN, brutto 7 581,66 PLN."
    ])
    for (const name of ["currency", ...sums]) assert.isBelow(found[name]?.confidence ?? 0, 0.9, name)
  })
)

it.effect.each([
  ["credit-note", 874.46, "Numéro 85911204 - nous portons cet avoir à votre compte, facture 118"],
  ["invoice", -874.46, "Facture no 85911204"]
] as const)("negative sums of %s come to %d", ([kind, total, title]) =>
  Effect.gen(function* () {
    const { values } = yield* readPrinted([
      "Comptoir du Ponant SA                     18 rue Ampère",
      "",
      title,
      "Date 15/05/2025",
      "Reprise de luminaires                          -728,72",
      "Total HT                                       -728,72",
      "TVA 20 %                                       -145,74",
      "Total TTC                                      -874,46"
    ])
    assert.deepStrictEqual([values["documentType"], values["totalAmount"]], [kind, total])
  })
)

const withFreight = (freight: string) =>
  readPrinted([
    "Kröger Industriebedarf GmbH                 Rechnung Nr. 4711",
    "Datum 11.04.2025",
    "Pos  Bezeichnung          Menge     Preis      Gesamt EUR",
    "10   Trennscheibe           200      1,15          230,00",
    "20   Schutzhandschuh         48      2,90          139,20",
    "Warenwert                                         369,20",
    `Fracht                                              ${freight}`,
    "Netto                                             379,10",
    "19,00 % MwSt.                                      72,03",
    "Gesamtbetrag                                      451,13"
  ])

it.effect("freight explains why the lines do not add up to the net amount, where it is the difference", () =>
  Effect.gen(function* () {
    const { found, values } = yield* withFreight("9,90")
    assert.deepStrictEqual([values["subtotal"], values["totalAmount"]], [379.1, 451.13])
    assert.isAbove(found["lineItems"]?.confidence ?? 0, 0.7)
    const open = yield* withFreight("8,90")
    assert.isBelow(open.found["subtotal"]?.confidence ?? 1, found["subtotal"]?.confidence ?? 0)
  })
)

it.effect.each(["Total excluding tax", "After promotion", "Net amount"])(
  "a discount between the sum of the goods and the net amount is taken off in it: %s",
  (label) =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "Shiftboard Inc.                             Invoice no. 4711",
        "Date March 3, 2025",
        "Description               Qty     Unit price       Amount",
        "Team seats                 14          18.00       252.00",
        "Support                     1          74.00        74.00",
        "Subtotal                                           326.00",
        "LOYAL10 (10% off)                                  -32.60",
        `${label.padEnd(51)}293.40`,
        "Sales Tax (8.25% on 293.40)                         24.21",
        "Total USD                                          317.61"
      ])
      assert.deepStrictEqual([values["subtotal"], values["taxAmount"]], [293.4, 24.21])
    })
)

const confidenceWith = (addend: string) =>
  Effect.map(
    readPage(
      placedPage([
        ...linesOf(100, 12, [
          { 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" },
          { 40: "Review of the contract", 300: "2", 360: "10.00", 440: "20.00" },
          { 40: "Call with the client", 300: "2", 360: "10.00", 440: "20.00" }
        ]),
        ...linesOf(200, 12, [
          { 340: "Subtotal", 440: "40.00" },
          { 340: addend, 440: "8.00" },
          { 340: "Total", 440: "48.00" }
        ])
      ])
    ),
    ({ found }) => found["lineItems"]?.confidence ?? 0
  )

it.effect("a table is not sure where what is added to its sum may be that of another one, and no tax", () =>
  Effect.gen(function* () {
    assert.isAtLeast(yield* confidenceWith("VAT 20 %"), 0.9)
    assert.isBelow(yield* confidenceWith("Costs advanced"), 0.9)
  })
)
