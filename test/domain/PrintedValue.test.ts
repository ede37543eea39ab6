import { describe, expect, it } from "vitest"
import { readingsOf } from "../../src/domain/PrintedValue.ts"

const asNumber = (text: string): unknown => readingsOf(text, 1)[0]

describe("a number that somebody typed as it is printed", () => {
  it.each([
    ["1.234,56 €", 1234.56],
    ["$1,234.56", 1234.56],
    ["1.234", 1234],
    ["12,5", 12.5],
    ["5.00.", 5],
    ["(12.50)", -12.5],
    ["12.50-", -12.5],
    ["(1.250)", -1250],
    ["1.234.567", 1_234_567],
    ["-1,234,567", -1_234_567],
    ["1,00,000.00", 100_000],
    ["1,00,000", 100_000],
    ["1 234 567,80", 1_234_567.8],
    ["1.234.567,80", 1_234_567.8]
  ])("reads %s", (text, value) => {
    expect(asNumber(text)).toBe(value)
  })

  it.each(["30.02.2026", "1.2.3", "192.168.0.1", "12.34.56"])("keeps %s, which is none", (text) => {
    expect(asNumber(text)).toBe(text)
  })
})
