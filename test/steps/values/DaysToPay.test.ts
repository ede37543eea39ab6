import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "../pages/ReadPrinted.ts"

const german = ["Kröger Industriebedarf GmbH", "Rechnung Nr. 4711", "Datum 11.04.2025", "Summe 540,53 EUR"]
const english = ["Kroger Supplies Ltd", "Invoice No. 4711", "Date 11/04/2025", "Total 540.53 GBP"]
const french = ["Kroger SARL", "Facture n° 4711", "Date 11/04/2025", "Total TTC 540,53 EUR"]
const danish = ["Krøger ApS", "Faktura nr. 4711", "Dato 11.04.2025", "I alt DKK 540,53"]

describe("a day to pay in running text", () => {
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
  ])("is found: %#", ([lines]) =>
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
    [[...french, "À valoir sur votre prochaine facture, échéance 11/05/2025."]]
  ])("is none that says nothing of paying: %#", ([lines]) =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted(lines)
      assert.isNull(values["dueDate"])
    })
  )
})
