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
    "Krenn Dichtungen GmbH",
    "Krenn Dichtungen GmbH · IBAN DE12 5001 0517 0648 4898 90",
    "Krenn Dichtungen GmbH"
  ],
  ["Menuiserie Thibault", "SARL Menuiserie Thibault - SIRET 412 556 987 00021", "SARL Menuiserie Thibault"],
  [
    "NETTOLYA",
    "NETTOLYA SERVICES SARL au capital de 8 000 € SIRET 412 556 987 00021",
    "NETTOLYA SERVICES SARL"
  ]
] as const)("the name of a seller with its whole form: %s, %s", ([head, foot, name]) =>
  Effect.gen(function* () {
    const found = yield* extractByRules(printed(sheet(head, foot)), { fields, relations: [] })
    expect(found["vendorName"]?.value).toBe(name)
  })
)
