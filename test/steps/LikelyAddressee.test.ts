import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { invoiceFields } from "../fixtures/InvoiceFields.ts"
import { readByRules } from "../../src/steps/extract/Rules.ts"
import { printed } from "./PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const letter = (foot: string) => [
  "Nordlicht Feinkost GmbH",
  "Kaistraße 31",
  "27570 Bremerhaven",
  "",
  "Rechnung",
  "Rechnungsnummer     Rechnungsdatum      Fällig am",
  "TH-25-0614          19.09.2025          03.10.2025",
  "",
  "Tour                             km      Betrag EUR",
  "Bremerhaven Kiel                312          461,76",
  "Bremerhaven Hannover            181          267,88",
  "Netto                                        729,64",
  "Umsatzsteuer 19 %                            138,63",
  "Zu zahlen                                    868,27",
  "",
  foot,
  "Förde Sparkasse · IBAN DE02 2105 0170 0011 2233 44"
]

it.effect("doubts a seller that has only an address where the foot names another company", () =>
  Effect.gen(function* () {
    const { found, reasons } = yield* readByRules(
      printed(letter("Spedition Hinrichs GmbH · Amtsgericht Flensburg HRB 5512 · USt-IdNr. DE134882019")),
      { fields, relations: [] }
    )
    const { confidence = 0, value } = found["vendorName"] ?? {}
    if (value === "Nordlicht Feinkost GmbH") {
      expect(confidence).toBeLessThanOrEqual(0.75)
      expect(reasons.get("vendorName")).toContain("addressee")
    } else expect(value).toBe("Spedition Hinrichs GmbH")
  })
)

it.effect("does not doubt a seller whose foot names itself", () =>
  Effect.gen(function* () {
    const { found } = yield* readByRules(
      printed(letter("Nordlicht Feinkost GmbH · Amtsgericht Bremen HRB 5512 · USt-IdNr. DE134882019")),
      { fields, relations: [] }
    )
    expect(found["vendorName"]?.value).toBe("Nordlicht Feinkost GmbH")
    expect(found["vendorName"]?.confidence).toBeGreaterThan(0.85)
  })
)
