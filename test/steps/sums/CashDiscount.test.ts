import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "../pages/ReadPrinted.ts"

const head = [
  "Kröger Industriebedarf GmbH",
  "Rechnung Nr. 4711",
  "Datum 11.04.2025",
  "Gesamtbetrag 540,53 EUR"
]
const english = ["Kroger Supplies Ltd", "Invoice No. 4711", "Date 11/04/2025", "Total 540.53 GBP"]

describe("the day to pay by", () => {
  it.effect.each<[ReadonlyArray<string>]>([
    [[...head, "Zahlbar bis 21.04.2025 mit 2 % Skonto = 529,72 EUR, bis 11.05.2025 netto."]],
    [[...head, "Zahlbar bis 21.04.2025 abzüglich 2 % Skonto", "zahlbar bis 11.05.2025 ohne Abzug"]],
    [[...head, "2 % Skonto bei Zahlung bis 21.04.2025, netto zahlbar bis 11.05.2025"]],
    [[...english, "Pay by 21/04/2025 less 2% discount, payment due by 11/05/2025 net"]]
  ])("is not the last day of a discount: %#", ([lines]) =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted(lines)
      assert.strictEqual(values["dueDate"], "2025-05-11")
    })
  )

  it.effect("is the day before which a discount ends that is named after it", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...head,
        "Zahlbar bis 11.05.2025, bei Zahlung in 10 Tagen 2 % Skonto"
      ])
      assert.strictEqual(values["dueDate"], "2025-05-11")
    })
  )
})
