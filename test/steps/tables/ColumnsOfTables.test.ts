import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { itemsOf, table } from "./PlacedItems.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

it.effect("what was delivered is the quantity, where less than was ordered is charged", () =>
  Effect.gen(function* () {
    const heading = {
      40: "N° pièce",
      110: "Description",
      250: "Qté",
      285: "Liv.",
      315: "B/O",
      350: "Prix liste",
      420: "Prix net",
      490: "Montant"
    }
    const items = linesOf(120, 14, [
      {
        40: "T516-B",
        110: "Tubulure bleue",
        250: "40",
        285: "40",
        350: "62,50",
        420: "50,00",
        490: "2 000,00"
      },
      {
        40: "T516-V",
        110: "Tubulure verte",
        250: "10",
        285: "6",
        315: "4",
        350: "62,50",
        420: "50,00",
        490: "300,00"
      },
      {
        40: "MP34-1",
        110: "Maître-ligne noire",
        250: "4",
        285: "4",
        350: "389,00",
        420: "330,65",
        490: "1 322,60"
      },
      {
        40: "MP10-2",
        110: "Maître-ligne verte",
        250: "3",
        285: "3",
        350: "318,00",
        420: "270,30",
        490: "810,90"
      }
    ])
    expect(yield* itemsOf(table(heading, items, { 290: "Sous-total", 490: "4 433,50" }))).toEqual([
      ["Tubulure bleue", 40, 50, 2000],
      ["Tubulure verte", 6, 50, 300],
      ["Maître-ligne noire", 4, 330.65, 1322.6],
      ["Maître-ligne verte", 3, 270.3, 810.9]
    ])
  })
)

it.effect("codes are no descriptions, although the heading of a group is below one of them", () =>
  Effect.gen(function* () {
    const heading = { 40: "Artikel", 110: "Soort", 300: "Aantal", 390: "Prijs", 480: "Bedrag" }
    const items = linesOf(120, 14, [
      { 40: "100214", 110: "Kipfilet vers, bak", 300: "20", 390: "7,45", 480: "149,00" },
      { 40: "100410", 110: "Rundergehakt, vet", 300: "10", 390: "8,60", 480: "86,00" },
      { 40: "200011", 110: "Roomboter, doos", 300: "2", 390: "41,80", 480: "83,60" },
      { 40: "200045", 110: "Room, fles", 300: "24", 390: "3,95", 480: "94,80" },
      { 40: "200060", 110: "Volle melk, pak", 300: "36", 390: "0,98", 480: "35,28" },
      { 40: "200102", 110: "Eieren, tray", 300: "12", 390: "5,85", 480: "70,20" },
      { 40: "200218", 110: "Emmentaler gemalen", 300: "6", 390: "8,40", 480: "50,40" },
      { 40: "GROENTEN" },
      { 40: "300001", 110: "Verse frieten, zak", 300: "40", 390: "3,65", 480: "146,00" }
    ])
    const read = yield* itemsOf(table(heading, items, { 300: "Totaal excl. btw", 480: "715,28" }))
    expect(read.map(([description]) => description)).toEqual([
      "Kipfilet vers, bak",
      "Rundergehakt, vet",
      "Roomboter, doos",
      "Room, fles",
      "Volle melk, pak",
      "Eieren, tray",
      "Emmentaler gemalen",
      "Verse frieten, zak"
    ])
  })
)

it.effect("what is below the sums does not blur where the columns begin", () =>
  Effect.gen(function* () {
    const heading = { 45: "Réf.", 174: "Désignation", 318: "Qté", 390: "P.U. HT", 480: "Montant HT" }
    const items = [
      ...linesOf(120, 14, [
        { 40: "CH21G", 85: "Crozes-Hermitage rouge 2021", 320: "24", 395: "13,05", 490: "313,20" },
        { 40: "SV22V", 85: "Saint-Véran Vieilles Vignes", 320: "36", 395: "10,20", 490: "367,20" },
        { 40: "JRPSA", 85: "Jus de raisin sans alcool", 320: "12", 395: "3,60", 490: "43,20" }
      ]),
      ...linesOf(180, 14, [
        {
          43: "Code",
          75: "Base HT",
          126: "Taux",
          163: "TVA",
          232: "virement 45 jours fin de mois",
          427: "Total HT",
          490: "723,60"
        },
        { 47: "1", 76: "680,40", 121: "20,00 %", 168: "136,08", 427: "Total TVA", 490: "138,46" },
        { 47: "2", 76: "43,20", 121: "5,50 %", 168: "2,38", 427: "NET À PAYER", 490: "862,06" },
        {
          37: "Pas d'escompte pour paiement anticipé. En cas de retard, 3 fois le taux légal et 40 € de frais"
        },
        {
          37: "Indemnité de recouvrement 40 € et de retard 3 fois le taux légal, réserve de propriété, loi 80"
        },
        { 42: "Caves au capital de 80 000 € RCS Chalon 726 850 311 APE 4634Z TVA FR 41 726 850 311" }
      ])
    ]
    expect(yield* itemsOf([...linesOf(100, 12, [heading]), ...items])).toEqual([
      ["Crozes-Hermitage rouge 2021", 24, 13.05, 313.2],
      ["Saint-Véran Vieilles Vignes", 36, 10.2, 367.2],
      ["Jus de raisin sans alcool", 12, 3.6, 43.2]
    ])
  })
)

it.effect("a page with one row has the columns of the page before", () =>
  Effect.gen(function* () {
    const heading = { 47: "LN", 175: "ITEM / DESCRIPTION", 360: "QTY", 420: "UNIT PRICE", 510: "EXTENSION" }
    const first = placedPage(
      linesOf(100, 14, [
        heading,
        { 41: "001", 72: "EM4-0500A", 365: "12", 430: "41.85", 520: "502.20" },
        { 72: "END MILL 1/2 CARBIDE" },
        { 41: "002", 72: "DJ-2764C", 365: "10", 430: "14.62", 520: "146.20" },
        { 72: "DRILL JOBBER 27/64 HSS" },
        { 41: "003", 72: "INSERT-GRADE-4325", 365: "4", 430: "118.50", 520: "474.00" },
        { 72: "BOX OF TEN INSERTS" }
      ])
    )
    const second = placedPage(
      linesOf(100, 14, [
        heading,
        { 41: "004", 72: "CD-6IP67", 365: "1", 430: "136.60", 520: "136.60" },
        { 72: "CALIPER DIGITAL 6 IN IP67" },
        { 360: "SUBTOTAL", 520: "1,259.00" }
      ])
    )
    const pages = [...first.pages, ...second.pages.map((page) => Object.assign({}, page, { pageNumber: 2 }))]
    const fields = [fieldOf("lineItems", { preset: "invoice.lineItems" })]
    const document = { pages, extras: { pageCount: 2 } }
    const { lineItems } = yield* extractByRules(document, { fields, relations: [] })
    expect(lineItems?.value).toMatchObject([
      { quantity: 12 },
      { quantity: 10 },
      { quantity: 4 },
      { description: "CD-6IP67 CALIPER DIGITAL 6 IN IP67", quantity: 1, unitPrice: 136.6, amount: 136.6 }
    ])
  })
)
