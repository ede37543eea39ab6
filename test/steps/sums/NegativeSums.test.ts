import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const read = (title: string) =>
  extractByRules(
    printed([
      "Comptoir du Ponant SA                     18 rue Ampère",
      "",
      title,
      "Date 15/05/2025",
      "Reprise de luminaires                          -728,72",
      "Total HT                                       -728,72",
      "TVA 20 %                                       -145,74",
      "Total TTC                                      -874,46"
    ]),
    { fields, relations }
  )

it.effect("negative sums of a document that speaks of a credit note are those of one", () =>
  Effect.gen(function* () {
    const { documentType, totalAmount } = yield* read(
      "Numéro 85911204 - nous portons cet avoir à votre compte, facture 118"
    )
    expect([documentType?.value, totalAmount?.value]).toEqual(["credit-note", 874.46])
  })
)

it.effect("negative sums of an invoice stay as they are", () =>
  Effect.gen(function* () {
    const { documentType, totalAmount } = yield* read("Facture no 85911204")
    expect([documentType?.value, totalAmount?.value]).toEqual(["invoice", -874.46])
  })
)
