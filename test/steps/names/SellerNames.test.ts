import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("vendorName", { preset: "invoice.vendorName" }),
  fieldOf("number", { preset: "invoice.number" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]

const sheet = (head: string, foot: string) => [
  head,
  "12 Mill Lane, 4020 Linz",
  "",
  "Bill to:",
  "Dover Trading LLC",
  "4 Harbour Road, Dover",
  "",
  "Invoice number: 2025-118     Date: 12 March 2025",
  "Consulting                              400.00",
  "Total                              EUR 400.00",
  "",
  "Payment within 14 days.",
  "",
  "Late payments bear interest.",
  "Open on weekdays.",
  "Closed in August.",
  "",
  foot
]

it.effect.each([
  ["Larch Cloud, Inc. Invoice", "Thank you", "Larch Cloud, Inc."],
  ["Krenn Dichtungen GmbH & Co. KG", "Thank you", "Krenn Dichtungen GmbH & Co. KG"],
  ["Doruk Teknik Ltd. Şti.", "Thank you", "Doruk Teknik Ltd. Şti."],
  ["ACEROS DEL NORTE, S.A. DE C.V.", "Gracias", "ACEROS DEL NORTE, S.A. DE C.V."],
  ["Barrow Joinery Ltd. Registered in Wales 0412", "Thank you", "Barrow Joinery Ltd"],
  ["Krenn Dichtungen GmbH. Sitz der Gesellschaft: Linz", "Danke", "Krenn Dichtungen GmbH"],
  ["Feinkost Moosbrugger e.U., Inhaber Martin Moosbrugger", "Danke", "Feinkost Moosbrugger e.U."],
  ["HOTEL MIRAMONTE GmbH ****", "Danke", "HOTEL MIRAMONTE GmbH"],
  [
    "BARROW JOINERY SUPPLIES",
    "Goods remain the property of Barrow Joinery Supplies Ltd until paid.",
    "Barrow Joinery Supplies Ltd"
  ],
  [
    "Gemeinschaftspraxis am Wall",
    "Heide-Bank eG · IBAN DE12 5001 0517 0648 4898 90 · BIC HEIDDEF1 · Steuernummer 14/417/00441",
    "Gemeinschaftspraxis am Wall"
  ],
  [
    "Krenn Dichtungen GmbH",
    "Krenn Dichtungen GmbH · IBAN DE12 5001 0517 0648 4898 90",
    "Krenn Dichtungen GmbH"
  ],
  ["Menuiserie Thibault", "SARL Menuiserie Thibault - SIRET 412 556 987 00021", "SARL Menuiserie Thibault"],
  [
    "Corran Party Hire",
    "Corran Rentals Limited trading as Corran Party Hire. VAT 1",
    "Corran Rentals Limited"
  ],
  ["Corran Party Hire", "Company: Lake of Corran Ltd (t/a Corran Party Hire)", "Lake of Corran Ltd"],
  [
    "Corran Party Hire",
    "Goods remain property of Lake Ltd trading as Corran Party Hire",
    "Corran Party Hire"
  ],
  ["Corran Party Hire", "Lake Ltd trading as Dover Hire", "Corran Party Hire"],
  [
    "NETTOLYA",
    "NETTOLYA SERVICES SARL au capital de 8 000 € SIRET 412 556 987 00021",
    "NETTOLYA SERVICES SARL"
  ],
  [
    "Vale Sobreiro",
    "Vale Sobreiro – Sociedade Agrícola, Lda. Capital social 5 000 €",
    "Vale Sobreiro – Sociedade Agrícola, Lda."
  ],
  [
    "Corran Party Hire",
    "Corran Party Hire is a trading name of Lake Rentals Limited. Registered in Wales 0412",
    "Lake Rentals Limited"
  ],
  [
    "Barrow Joinery Supplies",
    "Barrow Joinery Supplies Ltd and Barrow Joinery Supplies LLC",
    "Barrow Joinery Supplies"
  ]
] as const)("the name of a seller with its whole form: %s, %s", ([head, foot, name]) =>
  Effect.gen(function* () {
    const found = yield* extractByRules(printed(sheet(head, foot)), { fields, relations: [] })
    expect(found["vendorName"]?.value).toBe(name)
  })
)

it.effect("the bank of an account in the line below is not the seller", () =>
  Effect.gen(function* () {
    const lines = [
      ...sheet("Gemeinschaftspraxis am Wall", "Heide-Bank eG"),
      "IBAN DE12 5001 0517 0648 4898 90"
    ]
    const { vendorName } = yield* extractByRules(printed(lines), { fields, relations: [] })
    expect(vendorName?.value).toBe("Gemeinschaftspraxis am Wall")
  })
)

it.effect("a firm that shares a word with the letterhead's name is the seller, and never sure", () =>
  Effect.gen(function* () {
    const head = ["larchwood telecom", "12 Mill Lane, 4020 Linz", "Tel. 0732 100200, VAT GB 123456789"]
    const lines = [...head, ...sheet("mail@larchwoodtelecom.example", "Larchwood Communications Limited")]
    const { vendorName } = yield* extractByRules(printed(lines), { fields, relations: [] })
    expect(vendorName?.value).toBe("Larchwood Communications Limited")
    expect(vendorName?.confidence).toBeLessThan(0.9)
  })
)

it.effect(
  "the name of a letterhead is in doubt where the only firm that is named shares no word with it",
  () =>
    Effect.gen(function* () {
      const head = ["larchwood telecom", "12 Mill Lane, 4020 Linz", "Tel. 0732 100200, VAT GB 123456789"]
      const confidence = (foot: string) =>
        Effect.map(
          extractByRules(printed([...head, ...sheet("mail@larchwoodtelecom.example", foot)]), {
            fields,
            relations: []
          }),
          ({ vendorName }) => vendorName?.confidence ?? 0
        )
      expect(yield* confidence("Corran Holdings Limited")).toBeLessThan(0.7)
      expect(yield* confidence("Thank you")).toBeGreaterThan(0.7)
    })
)

it.effect("a firm with somebody's attention below it is the addressee", () =>
  Effect.gen(function* () {
    const lines = [
      "Fjordby Forening",
      "",
      "Møllevang Maskiner A/S",
      "Att. Nina Lund",
      "Industrivej 41",
      "9998 Fjordby",
      "",
      "Faktura 2025-118     Dato: 12. marts 2025",
      "Halleje                              400,00",
      "Total                            DKK 400,00",
      "",
      "Med sportslig hilsen"
    ]
    const { vendorName } = yield* extractByRules(printed(lines), { fields, relations: [] })
    expect(vendorName?.value).toBe("Fjordby Forening")
  })
)
