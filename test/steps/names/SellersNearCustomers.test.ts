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

const body = [
  "",
  "Invoice number: 2025-118     Date: 12 March 2025",
  "Consulting                              400.00",
  "Total                              EUR 400.00",
  "",
  "Payment within 14 days.",
  ""
]

it.effect.each([
  [
    "the one that is reached and registered, not the one with an address alone",
    [
      "Holzbau Zurbriggen GmbH                    Rüegsegger Treuhand AG",
      "Wylergasse 3                               Marktgasse 21",
      "3714 Frutigen                              3600 Thun",
      "                                           Tel. 033 244 18 00",
      "                                           CHE-108.447.231 MWST"
    ],
    [
      "Konto / Zahlbar an                   Zahlbar durch",
      "Rüegsegger Treuhand AG               Holzbau Zurbriggen GmbH"
    ],
    "Rüegsegger Treuhand AG"
  ],
  [
    "a firm whose name has words that are nearly a label",
    ["Tri-Rivers Industrial Supply Co., Inc.", "1850 Neville Rd, Pittsburgh PA 15225", "Tel 412-555-0170"],
    [],
    "Tri-Rivers Industrial Supply Co., Inc."
  ]
] as const)("the seller is %s", ([, head, foot, name]) =>
  Effect.gen(function* () {
    const { vendorName } = yield* extractByRules(printed([...head, ...body, ...foot]), {
      fields,
      relations: []
    })
    expect(vendorName?.value).toBe(name)
  })
)
