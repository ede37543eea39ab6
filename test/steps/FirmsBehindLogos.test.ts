import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { printed } from "./PrintedLines.ts"

const fields = [
  fieldOf("vendorName", { preset: "invoice.vendorName" }),
  fieldOf("number", { preset: "invoice.number" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]

const body = [
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
  "Open on weekdays.",
  ""
]

it.effect.each([
  [
    ["El Yunque de Oro ⚒", "MATERIALES Y FERRETERIA EL YUNQUE DE ORO SA DE CV", "Calle Mayor 4, Toluca"],
    "A la orden de MATERIALES Y FERRETERIA EL YUNQUE DE ORO SA DE CV",
    "MATERIALES Y FERRETERIA EL YUNQUE DE ORO SA DE CV"
  ],
  [
    ["SARL COULEURS", "DU LITTORAL", "12 rue du Port, 17000 La Rochelle"],
    "SARL COULEURS DU LITTORAL - SIRET 412 556 987 00021",
    "SARL COULEURS DU LITTORAL"
  ],
  [
    ["BORÉAL DÉNEIGEMENT", "une division de Transports Larose inc.", "1450, rang Saint-Joseph"],
    "Merci de votre confiance",
    "Transports Larose inc."
  ],
  [
    [
      "Pluk & Peper",
      "",
      "Pluk & Peper Catering",
      "Havenstraat 7b",
      "2871 CK Schoonhoven",
      "Tel. 0182 555 014"
    ],
    "Bedankt",
    "Pluk & Peper Catering"
  ]
] as const)("the seller is the firm behind the logo: %s", ([head, foot, name]) =>
  Effect.gen(function* () {
    const { vendorName } = yield* extractByRules(printed([...head, ...body, foot]), {
      fields,
      relations: []
    })
    expect(vendorName?.value).toBe(name)
  })
)
