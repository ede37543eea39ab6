import { describe, expect, it } from "vitest"
import { readingsOf } from "../../src/extraction/values/PrintedValue.ts"

const asNumber = (text: string): unknown => readingsOf(text, 1)[0]
const asDate = (text: string): unknown => readingsOf(text, "2026-01-01")[0]

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
    ["1.234.567,80", 1_234_567.8],
    ["1'234.50", 1234.5],
    ["1’234’567,89", 1_234_567.89],
    ["1\u202f234,50", 1234.5],
    ["1 234.567", 1234.567],
    ["12,5 %", 12.5],
    [",50", 0.5],
    ["12.50 EUR (net)", 12.5],
    ["12 kg", 12],
    ["12 m²", 12]
  ])("reads %s", (text, value) => {
    expect(asNumber(text)).toBe(value)
  })

  it.each([
    ["CHF 12.–", 12],
    ["CHF 12.-", 12],
    ["EUR 1.234,--", 1234],
    ["100 kr.-", 100],
    ["1939/-", 1939]
  ])("reads the dash of %s as no cents, not as a minus sign", (text, value) => {
    expect(asNumber(text)).toBe(value)
  })

  it.each([
    "−12.50",
    "12.50−",
    "–12.50",
    "− 12,50",
    "EUR −12.50",
    "-€12.50",
    "-US$ 12.50",
    "EUR-12.50",
    "12.50- EUR",
    "12.50 EUR -",
    "(CHF 12.50)",
    "CHF (12.50)",
    "(-)12.50"
  ])("reads %s as negative", (text) => {
    expect(asNumber(text)).toBe(-12.5)
  })

  it.each([
    ["Total – 12.50", 12.5],
    ["E-Mail 12.50", 12.5],
    ["(including VAT 12.50)", 12.5]
  ])("reads %s as positive", (text, value) => {
    expect(asNumber(text)).toBe(value)
  })

  it.each([
    ["Fr. 12.50", 12.5],
    ["Rs. 1,234", 1234],
    ["kr.100", 100]
  ])("reads the point of %s as the end of the currency", (text, value) => {
    expect(asNumber(text)).toBe(value)
  })

  it.each([
    ["0.125", 0.125],
    ["0,500", 0.5],
    ["1234.567", 1234.567]
  ])("reads three decimals of %s, where thousands are not possible", (text, value) => {
    expect(asNumber(text)).toBe(value)
  })

  it.each(["1.235", "1,235"])("reads three decimals of %s, if the number had them before", (text) => {
    expect(readingsOf(text, 1.234)[0]).toBe(1.235)
  })

  it.each([
    ["１，２３４．５０", 1234.5],
    ["١٬٢٣٤٫٥٠", 1234.5],
    ["१२३४.५०", 1234.5],
    ["1２３4.50", 1234.5]
  ])("reads the digits of %s", (text, value) => {
    expect(asNumber(text)).toBe(value)
  })

  it.each(["30.02.2026", "1.2.3", "192.168.0.1", "12.34.56", "1,234,56", "12'50"])(
    "keeps %s, which is none",
    (text) => {
      expect(asNumber(text)).toBe(text)
    }
  )

  it.each(["2 x 12.50", "12–14", "12 50", "12:30", "1/2", "12.50 / 2", "1e3", "12.50 incl. 8% VAT"])(
    "keeps %s, which has several",
    (text) => {
      expect(asNumber(text)).toBe(text)
    }
  )

  it.each(["12½", "3k", "1.2 Mio.", "5‰", "3万", "INV-15", "12-pack", "12345678901234567890"])(
    "keeps %s, whose figures are not its value",
    (text) => {
      expect(asNumber(text)).toBe(text)
    }
  )
})

describe("a date that somebody typed as it is printed", () => {
  it.each([
    "12.5.2026",
    "12/05/26",
    "2026/05/12",
    "2026-5-12",
    "12 May 26",
    "12-MAY-26",
    "May 12, 2026",
    "May 12 '26",
    "2026 May 12",
    "Tue, 12 May 2026",
    "mar. 12/05/2026",
    "12 mai 2026",
    "2026年5月12日",
    "令和8年5月12日",
    "１２．５．２０２６",
    "١٢/٥/٢٠٢٦"
  ])("reads %s", (text) => {
    expect(asDate(text)).toBe("2026-05-12")
  })

  it.each([
    ["5/12/2026", "2026-12-05"],
    ["12/31/2026", "2026-12-31"],
    ["12.5.69", "2069-05-12"],
    ["12.5.99", "1999-05-12"],
    ["99-05-12", "1999-05-12"]
  ])("reads %s", (text, date) => {
    expect(asDate(text)).toBe(date)
  })

  it.each([
    "31.6.2026",
    "2/30/2026",
    "12.5.126",
    "12.5.0026",
    "12.5.20266",
    "1/2/3",
    "12.5.2026 10:30",
    "KW 20, 12 May 2026",
    "R8.5.12"
  ])("keeps %s, which is none", (text) => {
    expect(asDate(text)).toBe(text)
  })
})

it("keeps a string where one is expected", () => {
  expect(readingsOf("１２,50", "A-1")[0]).toBe("１２,50")
})
