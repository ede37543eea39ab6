import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { valueFeatures } from "../../../src/extraction/candidates/ValueFeatures.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { printed } from "../pages/PrintedLines.ts"
import { foundOn, readPrinted } from "../pages/ReadPrinted.ts"

const dayOn = (
  rows: ReadonlyArray<Readonly<Record<number, string>>>,
  preset: "invoice.date" | "invoice.dueDate" = "invoice.date"
) => Effect.map(foundOn(placedPage(linesOf(40, 14, rows)), preset), (day) => day?.value)

describe("the date of an invoice", () => {
  it.effect.each<[string, Readonly<Record<number, string>>, number]>([
    ["in one phrase", { 320: "Heide, den 12. November 2026" }, 1],
    ["in two columns", { 320: "Heide, den", 420: "12.11.2026" }, 1],
    ["before the writer", { 320: "Heide, 12. November 2026 / rz" }, 1],
    ["not behind a label", { 320: "Liefertag 12.11.2026" }, 0],
    ["not before a sentence", { 320: "Heide, 12. November 2026 geliefert" }, 0]
  ])("is known by the place in front of it, as letters begin: %s", ([, day, ofPlace]) =>
    Effect.gen(function* () {
      const field = fieldOf("day", { preset: "invoice.date" })
      const page = placedPage(linesOf(40, 14, [{ 40: "Tischlerei Holzner GmbH" }, day]))
      const reading = yield* readDocument(page, [field], undefined)
      const [date] = reading.dates
      assert.strictEqual(date && (valueFeatures(reading, field, date).ofPlace ?? 0), ofPlace)
    })
  )

  it.effect.each([
    "laut Auftragsbestätigung vom 03.11.2025",
    "gemäß Angebot vom 03.11.2025",
    "gemäß Angebot Nr. 4711 vom 03.11.2025",
    "laut Kostenvoranschlag vom 03.11.2025"
  ])("is not that of another document: %s", (other) =>
    Effect.gen(function* () {
      const date = yield* dayOn([
        { 40: "Tischlerei Holzner GmbH" },
        { 320: "Oberdorf, am 18. Februar 2026" },
        { 40: "Rechnung Nr. 2026/014" },
        { 40: `Wir erlauben uns, ${other} zu verrechnen:` },
        { 40: "Gesamtbetrag", 300: "19.250,40" }
      ])
      assert.strictEqual(date, "2026-02-18")
    })
  )

  it.effect.each([
    ["in a cell behind the number of an order", { 320: "Auftrag", 400: "AB-0112 v. 03.11.2025" }, "Datum"],
    ["behind a label that is only similar", { 320: "ze dne:", 400: "03.11.2025" }, "Datum vystavení:"]
  ] as const)("is not one %s", ([, other, label]) =>
    Effect.gen(function* () {
      const date = yield* dayOn([
        { 40: "Elektro Brandhuber" },
        other,
        { 320: label, 400: "18.02.2026" },
        { 40: "Schlussrechnung" },
        { 40: "Gesamtbetrag", 300: "19.250,40" }
      ])
      assert.strictEqual(date, "2026-02-18")
    })
  )

  it.effect.each([
    ["Objednávka 77/2025 ze dne 10.06.2025", "Datum vystavení: 16.06.2025", "2025-06-16"],
    ["Your order 118/2025 of 2 June 2025", "Invoice date: 16 June 2025", "2025-06-16"],
    ["Invoice no. 118/2025 of 2 June 2025", "Order 77 of 1 May 2025", "2025-06-02"],
    ["Fattura n. 1188/2025 del 18/09/2025", "Ordine 77 del 01/05/2025", "2025-09-18"]
  ])("is behind the number of the document that it is of: %s, %s", ([first = "", second = "", iso = ""]) =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted(["Bergmann Ltd", first, second, "Due date: 30.06.2025"])
      assert.strictEqual(values["invoiceDate"], iso)
    })
  )

  it.effect.each<[string, ReadonlyArray<Readonly<Record<number, string>>>, string | null]>([
    [
      "that of the performance in front of it",
      [
        { 40: "SZÁMLA" },
        { 40: "Teljesítés kelte", 160: "Számla kelte", 300: "Fizetési határidő" },
        { 40: "2026.02.06.", 160: "2026.02.09.", 300: "2026.02.17." }
      ],
      "2026-02-09"
    ],
    ...["Net 15", "14"].map(
      (terms): [string, ReadonlyArray<Readonly<Record<number, string>>>, string | null] => [
        "one that begins with a number of the column before it",
        [
          { 40: "INVOICE" },
          { 40: "INVOICE #", 140: "TERMS", 260: "DATE", 400: "DUE DATE" },
          { 40: "10482", 140: terms, 260: "Feb 10, 2026", 400: "Feb 25, 2026" }
        ],
        "2026-02-10"
      ]
    ),
    [
      "a part of it, where its parts are in boxes of their own",
      [{ 40: "INVOICE 10482" }, { 40: "Date", 140: "10", 180: "Feb", 220: "2026" }],
      "2026-02-10"
    ],
    ...[
      "Behandlung vom 04.02.2026 bis 11.03.2026",
      "Usage 04/02/2026 – 11/03/2026",
      "Period February 1 - February 28 , 2026"
    ].map((period): [string, ReadonlyArray<Readonly<Record<number, string>>>, string | null] => [
      "the first or the last day of a period",
      [{ 40: "INVOICE 10482" }, { 40: period }],
      null
    ]),
    [
      "a day with the quantity of the next column for its year",
      [{ 40: "Montage, 31.3. – 2.4.", 260: "22,5", 320: "68,00", 400: "1.530,00" }],
      null
    ]
  ])("is not %s", ([, rows, date]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dayOn([{ 40: "Brazos Bend Plumbing LLC" }, ...rows]), date)
    })
  )

  it.effect.each<[string, ReadonlyArray<Readonly<Record<number, string>>>]>([
    ["in the row of its label", [{ 320: "Invoice date:", 420: "September 30," }, { 420: "2025" }]],
    ["above it", [{ 420: "30 September" }, { 320: "Date", 420: "2025" }]],
    ["behind it in one cell", [{ 40: "Datum izdaje: Podpeč, 30. 9.", 320: "Kupec: 12" }, { 40: "2025" }]]
  ])("is whole where its year is in the next line of its cell: %s", ([, rows]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dayOn([{ 40: "Brazos Bend Plumbing LLC" }, ...rows]), "2025-09-30")
    })
  )

  it.effect("is hardly likely to be one of the lines", () =>
    Effect.gen(function* () {
      const { found } = yield* readPrinted([
        "Abernathy Stokes LLP",
        "",
        "Invoice No. 118422",
        "",
        "Date        Services                      Hours       Amount",
        "09/04/25    Review of the lease            3.20     1,328.00",
        "09/11/25    Conference with the broker     2.70     1,120.50",
        "09/19/25    Research                       4.10     1,209.50",
        "",
        "Total due                                           3,658.00"
      ])
      assert.isBelow(found["invoiceDate"]?.confidence ?? 0, 0.4)
    })
  )
})

it.effect("a date of long ago that may begin with its year is never sure", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-11-26"))
    const lines = ["BISTRO CHEZ MARGUERITE", "DATE/HEURE 25/11/15 20:47:33", "TOTAL 52.89"]
    assert.isBelow((yield* foundOn(printed(lines), "receipt.date"))?.confidence ?? 1, 0.8)
  })
)

const german = ["Kröger Industriebedarf GmbH", "Rechnung Nr. 4711", "Datum 11.04.2025", "Summe 540,53 EUR"]
const english = ["Kroger Supplies Ltd", "Invoice No. 4711", "Date 11/04/2025", "Total 540.53 GBP"]
const french = ["Kroger SARL", "Facture n° 4711", "Date 11/04/2025", "Total TTC 540,53 EUR"]
const danish = ["Krøger ApS", "Faktura nr. 4711", "Dato 11.04.2025", "I alt DKK 540,53"]

describe("the day to pay by", () => {
  it.effect.each([
    "Начин на плащане: по банков път, до 12.12.2025 г.",
    "Плащане до 12.12.2025 г.",
    "ΗμΛιία λήξης: 12/12/2025"
  ])("is behind the word for it, even where others are between or misread: %s", (due) =>
    Effect.gen(function* () {
      const rows = [{ 40: "Родопи Мрежи ООД" }, { 40: "28.11.2025" }, { 40: "Кабел", 300: "504,00" }]
      assert.strictEqual(yield* dayOn([...rows, { 40: due }], "invoice.dueDate"), "2025-12-12")
    })
  )

  it.effect.each([
    [["Datum: 15.10.2025 · Leistung: 01.10.-31.10.2025 · zahlbar bis", "14.11.2025"], "2025-11-14"],
    [["Datum     30. Juni 2025 Zahlbar bis     30. Juli 2025"], "2025-07-30"],
    [
      [
        "Invoice   Date       Rental Due Date     Amount",
        "INV-118   3/28/2018  4/16/2018           1,200.00"
      ],
      "2018-04-16"
    ]
  ] as const)(
    "is behind or below its label, though that ends its line or has more words: %s",
    ([lines, day]) =>
      Effect.gen(function* () {
        const { values } = yield* readPrinted(["Nordlicht Informatik AG", "Rechnung 25-10334", ...lines])
        assert.strictEqual(values["dueDate"], day)
      })
  )

  it.effect.each<[ReadonlyArray<string>]>([
    [[...german, "Bitte überweisen Sie den Restbetrag von 540,53 EUR bis 11. Mai 2025. Vielen Dank."]],
    [[...german, "Wir bitten um Begleichung der Rechnung", "bis zum 11.05.2025 auf unser Konto."]],
    [[...german, "Bis 21.04.2025 erhalten Sie 2,000 % Skonto", "Bis 11.05.2025 ohne Abzug"]],
    [[...english, "Please settle the balance by 11 May 2025. The gallery is released on receipt."]],
    [[...french, "Merci de verser ce montant pour le 11 mai 2025 au plus tard sur le compte BE63"]],
    [[...french, "Payable à 30 jours net, soit jusqu'au 11.05.2025. IBAN BE63 1234"]],
    [[...danish, "Betalingsbetingelser: netto 30 dage, senest 11.05.2025."]],
    [
      [
        ...english,
        "Notes                Please pay",
        "19 Mill Lane         540.53",
        "ELY                  by 11 May 2025"
      ]
    ]
  ])("is found in running text, and not sure: %#", ([lines]) =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted(lines)
      assert.strictEqual(values["dueDate"], "2025-05-11")
      assert.isBelow(found["dueDate"]?.confidence ?? 1, 0.9)
    })
  )

  it.effect.each<[ReadonlyArray<string>]>([
    [[...german, "Die Ware können Sie bis 11.05.2025 zurückgeben."]],
    [[...german, "Gezahlt wird für den Zeitraum 01.04.2025 bis 11.05.2025."]],
    [[...english, "The gallery is online until 11 May 2025."]],
    [[...english, "Next service due: 11 May 2025"]],
    [[...english, "Billing period (30 days)", "Balance on your last bill (11 May 2025)"]],
    [[...german, "Zahlbar sofort ohne Abzug. Nächste Wartung fällig: 11.05.2025."]],
    [[...french, "À valoir sur votre prochaine facture, échéance 11/05/2025."]],
    [[...english, "CAE 90250118822 Fecha de vencimiento CAE 11/05/2025"]]
  ])("is none that says nothing of paying: %#", ([lines]) =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted(lines)
      assert.isNull(values["dueDate"])
    })
  )
})
