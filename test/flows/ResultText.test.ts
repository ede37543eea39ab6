import { describe, expect, it } from "vitest"
import { describeResult } from "../../src/cli/ResultText.ts"

const at = { page: 1, bbox: { x: 0, y: 0, w: 1, h: 1 }, confidence: 0.9 }
const printed = (value: unknown, text: string) => ({ ...at, value, text, status: "grounded" as const })

describe("a result for people", () => {
  it("has numbers with the decimals they are printed with, and rows aligned by them", () => {
    const text = describeResult("a.pdf", {
      status: "completed",
      output: {
        subtotal: 10350,
        taxAmount: 7.2,
        totalAmount: 1850,
        rounding: 0.5,
        lineItems: [
          { description: "Board", quantity: 2, amount: 4190.4 },
          { description: "Deck", quantity: 31.5, amount: 350 }
        ]
      },
      fields: {
        subtotal: printed(10_350, "10.350,00 €"),
        taxAmount: { value: 7.2, confidence: 0.8, status: "inferred", by: "rules" },
        totalAmount: printed(1850, "¥1,850"),
        lineItems: {
          ...printed([], ""),
          cells: [
            { quantity: { ...at, text: "2" }, amount: { ...at, text: "4 190,40" } },
            { quantity: { ...at, text: "31,5" }, amount: { ...at, text: "350,00" } }
          ]
        }
      }
    })
    expect(text.split("\n").slice(1)).toEqual([
      "  subtotal     10350.00   (page 1, 90 %)",
      "  taxAmount    7.20   (not printed: follows from other values, 80 %)",
      "  totalAmount  1850   (page 1, 90 %)",
      "  rounding     0.5",
      "  lineItems    2   (page 1, 90 %)",
      "      description  quantity   amount",
      "      Board               2  4190.40",
      "      Deck             31.5   350.00"
    ])
  })
})
