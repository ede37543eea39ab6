import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "../../support/FastCheck.ts"
import { printed } from "../pages/PrintedLines.ts"
import { foundOn, readPrinted } from "../pages/ReadPrinted.ts"
import { parseDate } from "../../../src/extraction/values/Dates.ts"
import { parseEquation } from "../../../src/extraction/sums/Equation.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { parseMoney } from "../../../src/extraction/values/Money.ts"
import { decimalOf } from "../../../src/extraction/values/Numbers.ts"

describe("amounts", () => {
  it.each([
    ["1,234.56", 1234.56],
    ["1.234,56", 1234.56],
    ["1 234,56", 1234.56],
    ["1'234.50", 1234.5],
    ["1’234.50", 1234.5],
    ["1,00,000.00", 100000],
    ["12", 12],
    ["0,5", 0.5],
    [".50", 0.5],
    ["1,234", 1234],
    ["1.234", 1234],
    ["0.194", 0.194],
    ["15.387,0800", 15387.08],
    ["1,234,567", 1234567],
    ["12,-", 12],
    ["1939/-", 1939],
    ["-17808,00", -17808],
    ["−4,20", -4.2],
    ["(123.45)", -123.45],
    ["123,45-", -123.45],
    ["(-)0.20", -0.2],
    ["100.00*", 100],
    ["=585.00", 585]
  ])("%s is %d", (text, value) => {
    assert.strictEqual(parseMoney(text)?.value, value)
  })

  it.each([
    ["$1,234.56", 1234.56, "USD"],
    ["US$ 12.00", 12, "USD"],
    ["€ 4.904,94", 4904.94, "EUR"],
    ["€ -9,32", -9.32, "EUR"],
    ["-€9.32", -9.32, "EUR"],
    ["624,90 €", 624.9, "EUR"],
    ["EUR 12", 12, "EUR"],
    ["1.234,56 EUR", 1234.56, "EUR"],
    ["CHF 1'234.50", 1234.5, "CHF"],
    ["Rs 1939", 1939, "INR"],
    ["RM12.00", 12, "MYR"],
    ["£5", 5, "GBP"],
    ["1 299,00 kr", 1299, "SEK"],
    ["12,00 zł", 12, "PLN"],
    ["R$ 10,00", 10, "BRL"],
    ["P1,605.00", 1605, "PHP"]
  ])("%s is %d %s", (text, value, currency) => {
    const money = parseMoney(text)
    assert.deepStrictEqual([money?.value, money?.currency], [value, currency])
  })

  it.effect.each([
    ["Total 1 200,00 €", 1200],
    ["Total 1 000,00 €", 1000],
    ["Total 36 772,00", 36772],
    ["Total 1 234 567,00 EUR", 1234567],
    ["Total 12\u202f345,00 €", 12345]
  ])("%s in plain text is %d", ([line = "", value = 0]) =>
    Effect.gen(function* () {
      const total = yield* foundOn(printed(["Facture", String(line)]), "invoice.totalAmount")
      assert.strictEqual(total?.value, value)
    })
  )

  it.effect.each([
    ["JOD", 750, 120, 870],
    ["CLP", 750_000, 120_000, 870_000]
  ] as const)("may have three digits behind their point, in %s", ([currency, ...sums]) =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "Jasmine Furniture                 INVOICE 2025-118",
        "Subtotal            750.000",
        "VAT 16%             120.000",
        `Total ${currency}           870.000`
      ])
      assert.deepStrictEqual([values["subtotal"], values["taxAmount"], values["totalAmount"]], sums)
    })
  )

  it.effect(
    "a pattern follows the decimal sign, may take spaces around a value or match nothing at many places",
    () =>
      Effect.gen(function* () {
        const point = yield* readPrinted(["Price 7.50", "Total 12.00", "Gewicht 2.500 kg"], {
          weight: { type: "number", pattern: "Gewicht ([0-9.,]+)" }
        })
        assert.strictEqual(point.values["weight"], 2.5)
        const { found, values } = yield* readPrinted(
          ["Gewicht: 2.500 kg", "Nettobetrag: 1.000,00 EUR", "Menge 7 Stück"],
          {
            weight: { type: "number", labels: ["Gewicht"], pattern: "[0-9., ]+" },
            pieces: { type: "number", labels: ["Menge"], pattern: "[0-9]*" }
          }
        )
        assert.deepStrictEqual(
          [values["weight"], found["weight"]?.text, values["pieces"]],
          [2500, "2.500", 7]
        )
      })
  )

  it.each(["", "abc", "12.34.56", "1,23,4", "12a", "+49 30 123", "05.03.2018", "10:30", "12%"])(
    "%s is no amount",
    (text) => {
      assert.strictEqual(parseMoney(text), undefined)
    }
  )

  it("keep their cents where recognition reads the sign before them as the one of thousands", () => {
    assert.strictEqual(parseMoney("36.875.00")?.value, 36875)
    assert.strictEqual(parseMoney("1,234,567,89", ",")?.value, 1234567.89)
    assert.strictEqual(parseMoney("42,500,00", ",")?.value, 42500)
    assert.strictEqual(parseMoney("1.234.567")?.value, 1234567)
    assert.strictEqual(parseMoney("1,00,000.00")?.value, 100000)
  })

  it("lets the document decide what the number leaves open", () => {
    assert.strictEqual(parseMoney("9,900", ",")?.value, 9.9)
    assert.strictEqual(parseMoney("9,900", ".")?.value, 9900)
    assert.strictEqual(decimalOf(["1.234,56", "7,00", "1.234"]), ",")
    assert.strictEqual(decimalOf(["$1,234.56", "7.00"]), ".")
    assert.strictEqual(decimalOf(["1.234", "12"]), undefined)
    assert.strictEqual(decimalOf(["5.5", "2.580", "6.990", "11.370"]), undefined)
    assert.strictEqual(decimalOf(["5.5", "2.580", "6.990", "11.37"]), ".")
    // The point of a word is none of a number; a sign that sets thousands apart is none of decimals.
    assert.strictEqual(decimalOf(["412.500", "78.375", "Res.99"]), undefined)
    assert.strictEqual(decimalOf(["1.250.000", "412.000", "8.0", "1.662.000"]), ",")
  })

  const notations: ReadonlyArray<readonly [string, string]> = [
    [",", "."],
    [".", ","],
    [" ", ","],
    ["'", "."],
    ["", "."],
    ["", ","]
  ]

  it("reads back every amount in every notation", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999_999, max: 999_999_999 }),
        fc.constantFrom(...notations),
        fc.constantFrom("", "€", "$", "EUR ", "CHF "),
        (cents, [group, decimal], currency) => {
          const [whole = "", fraction = ""] = (Math.abs(cents) / 100).toFixed(2).split(".")
          const grouped = whole.replace(/\B(?=(?:\d{3})+$)/gu, group)
          const text = `${cents < 0 ? "-" : ""}${currency}${grouped}${decimal}${fraction}`
          assert.strictEqual(parseMoney(text)?.value, cents / 100, text)
        }
      )
    )
  })
})

describe("dates", () => {
  it.each([
    ["2024-01-31", "2024-01-31"],
    ["2024/1/31", "2024-01-31"],
    ["31.01.2024", "2024-01-31"],
    ["31/01/24", "2024-01-31"],
    ["1.2.2024", "2024-02-01"],
    ["31-Jan-2024", "2024-01-31"],
    ["Jan 31, 2024", "2024-01-31"],
    ["January 31st, 2024", "2024-01-31"],
    ["August 3 , 2014", "2014-08-03"],
    ["3rd of March 2024", "2024-03-03"],
    ["19 april 2014", "2014-04-19"],
    ["3. März 2018", "2018-03-03"],
    ["1er février 2024", "2024-02-01"],
    ["15 août 2023", "2023-08-15"],
    ["2 de enero de 2020", "2020-01-02"],
    ["7 dicembre 2021", "2021-12-07"],
    ["2 mrt 2022", "2022-03-02"],
    ["2024年1月31日", "2024-01-31"],
    ["1/31/2024", "2024-01-31"],
    ["24/3-2025", "2025-03-24"],
    ["2025년 7월 18일", "2025-07-18"],
    ["2025年6月末日", "2025-06-30"],
    ["2024年 2월 말일", "2024-02-29"],
    ["令和7年7月18日", "2025-07-18"],
    ["平成31年4月30日", "2019-04-30"],
    ["令和元年5月1日", "2019-05-01"],
    ["中華民國114年6月24日", "2025-06-24"],
    ["民國114/06/24", "2025-06-24"],
    ["114 年 6 月 24 日", "2025-06-24"],
    ["21/08/2568", "2025-08-21"],
    ["15/10/1446 هـ", "2025-04-13"],
    ["1446/09/01 هـ", "2025-03-01"],
    ["2025. december 1.", "2025-12-01"],
    ["2025 m. spalio 14 d.", "2025-10-14"],
    ["2025. gada 14. oktobrī", "2025-10-14"],
    ["14 tháng 10 năm 2025", "2025-10-14"]
  ])("%s is %s", (text, iso) => {
    assert.strictEqual(parseDate(text)?.iso, iso)
  })

  it.each([
    "32.01.2024",
    "30.02.2024",
    "2024-13-01",
    "12 units 2024",
    "1.2.3",
    "29.02.2023",
    "21 Mar - 20 Apr",
    "15/10/1446",
    "令和7年13月1日",
    "hello"
  ])("%s is no date", (text) => {
    assert.strictEqual(parseDate(text), undefined)
  })

  it("follows the order it is told where the digits leave it open", () => {
    assert.deepInclude(parseDate("3/4/2024", "DMY"), { iso: "2024-04-03", ambiguous: true })
    assert.deepInclude(parseDate("3/4/2024", "MDY"), { iso: "2024-03-04", ambiguous: true })
    assert.deepInclude(parseDate("3/14/2024", "DMY"), { iso: "2024-03-14", ambiguous: false, proves: "MDY" })
  })

  const months =
    "January February March April May June July August September October November December".split(" ")

  it("reads back every day in every notation", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 73_000 }),
        fc.constantFrom("iso", "dots", "slashes", "american", "named", "namedFirst"),
        (days, notation) => {
          const iso = new Date(Date.UTC(1970, 0, 1 + days)).toISOString().slice(0, 10)
          const [year = "", month = "", day = ""] = iso.split("-")
          const name = months[Number(month) - 1] ?? ""
          const text = {
            iso,
            dots: `${Number(day)}.${Number(month)}.${year}`,
            slashes: `${day}/${month}/${year}`,
            american: `${month}/${day}/${year}`,
            named: `${Number(day)} ${name} ${year}`,
            namedFirst: `${name} ${Number(day)}, ${year}`
          }[notation]
          assert.strictEqual(parseDate(text, notation === "american" ? "MDY" : "DMY")?.iso, iso, text)
        }
      )
    )
  })
})

describe("labels", () => {
  it.each([
    ["Invoice #:", "Invoice Number"],
    ["INVOICE NO.", "Invoice number"],
    ["Rechnungs-Nr.", "Rechnungsnummer"],
    ["N° de facture", "Numero de facture"],
    ["Fälligkeit:", "Falligkeit"]
  ])("%s is the same label as %s", (one, other) => {
    const { fold } = shippedLexicon()
    assert.strictEqual(fold(one), fold(other))
  })
})

describe("equations", () => {
  it("reads sums of fields and columns", () => {
    assert.deepStrictEqual(parseEquation("subtotal + taxAmount = totalAmount")?.terms, [
      { field: "subtotal", sign: 1 },
      { field: "taxAmount", sign: 1 },
      { field: "totalAmount", sign: -1 }
    ])
    assert.deepStrictEqual(parseEquation("sum(items.amount) - discount = net")?.terms, [
      { field: "items", column: "amount", sign: 1 },
      { field: "discount", sign: -1 },
      { field: "net", sign: -1 }
    ])
  })

  it.each(["", "a + b", "a = b = c", "a b = c", "a + = c", "sum(a) = b", "a * b = c"])(
    "refuses %s",
    (text) => {
      assert.strictEqual(parseEquation(text), undefined)
    }
  )
})
