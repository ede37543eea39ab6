import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { percentsIn } from "../../../src/extraction/values/Numbers.ts"
import { searchableText } from "../../../src/extraction/grounding/SearchableText.ts"
import { amountsIn } from "../../../src/extraction/tables/TableRow.ts"
import { readingsOf, readLike } from "../../../src/extraction/values/PrintedValue.ts"
import { aligned } from "../../../src/providers/llm/AlignAnswer.ts"
import { typedAnswer } from "../../../src/steps/extract/model/TypedAnswer.ts"
import { printed } from "../pages/PrintedLines.ts"
import * as fc from "../../support/FastCheck.ts"

const total = fieldOf("total", { preset: "invoice.totalAmount" })
const read = (text: string) =>
  Effect.runPromise(searchableText(printed([`Total: ${text}`]), [total], undefined))

const notations = [
  [",", "."],
  [".", ","],
  [" ", ","],
  ["\u202f", ","],
  ["'", "."],
  ["", "."],
  ["", ","]
] as const
const currencies = ["", "€", "EUR ", "CHF ", " €", " EUR", "US$ ", " zł"] as const
const minuses = [
  (text: string) => `-${text}`,
  (text: string) => `−${text}`,
  (text: string) => `${text}-`,
  (text: string) => `(${text})`
]

/** An amount with cents as somebody may print it, and its value. */
const amount = fc
  .record({
    cents: fc.integer({ min: 1, max: 999_999_999 }),
    notation: fc.constantFrom(...notations),
    currency: fc.constantFrom(...currencies),
    minus: fc.option(fc.constantFrom(...minuses))
  })
  .map(({ cents, currency, minus, notation: [group, sign] }) => {
    const whole = String(Math.trunc(cents / 100)).replace(/(?<=\d)(?=(?:\d{3})+$)/gu, group)
    const figures = `${whole}${sign}${String(cents % 100).padStart(2, "0")}`
    const text = currency.startsWith(" ") ? `${figures}${currency}` : `${currency}${figures}`
    return { text: minus === null ? text : minus(text), value: (minus === null ? 1 : -1) * (cents / 100) }
  })

it("reads an amount alike in a document, in its places, in tables, in corrections, like an example, in answers", async () => {
  await fc.assert(
    fc.asyncProperty(amount, async ({ text, value }) => {
      const { numbers, reading } = await read(text)
      expect(reading.money.map((money) => money.value)).toContain(value)
      expect([...numbers.keys()]).toContain(value)
      expect(amountsIn(text, undefined)[0]?.value).toBe(value)
      expect(readingsOf(text, 1)[0]).toBe(value)
      expect(readLike(text, { text: "12.50", value: 12.5 })).toBe(value)
      expect(typedAnswer(total, text, reading)).toBe(value)
      expect(aligned(text, { type: "number" })).toBe(value)
    }),
    { numRuns: 150 }
  )
})

const months = "January February March April May June July August September October November December".split(
  " "
)

/** A day that can be read in one way only, as somebody may print it. */
const day = fc
  .record({
    year: fc.integer({ min: 2000, max: 2060 }),
    month: fc.integer({ min: 1, max: 12 }),
    date: fc.integer({ min: 13, max: 28 }),
    form: fc.constantFrom(
      (y: number, m: number, d: number) => `${d}.${m}.${y}`,
      (y: number, m: number, d: number) => `${m}/${d}/${y}`,
      (y: number, m: number, d: number) => `${y}-${m}-${d}`,
      (y: number, m: number, d: number) => `${d}-${(months[m - 1] ?? "").slice(0, 3).toUpperCase()}-${y}`,
      (y: number, m: number, d: number) => `${months[m - 1]} ${d}, ${y}`,
      (y: number, m: number, d: number) => `${y}年${m}月${d}日`,
      (y: number, m: number, d: number) => `令和${Math.max(1, y - 2018)}年${m}月${d}日`
    )
  })
  .map(({ date, form, month, year }) => {
    const text = form(year, month, date)
    const iso = `${text.startsWith("令") ? Math.max(2019, year) : year}-${String(month).padStart(2, "0")}-${date}`
    return { text, iso }
  })

it("reads a day alike in a document, in its places, in corrections, like an example, in answers", async () => {
  const field = { type: "date", finder: "label" } as const
  await fc.assert(
    fc.asyncProperty(day, async ({ iso, text }) => {
      const { dates, reading } = await read(text)
      expect(reading.dates.map(({ value }) => value)).toEqual([iso])
      expect([...dates.keys()]).toContain(iso)
      expect(readingsOf(text, "2026-01-01")[0]).toBe(iso)
      expect(readLike(text, { text: "2026-01-31", value: "2026-01-31" })).toBe(iso)
      expect(typedAnswer(field, text, reading)).toBe(iso)
    }),
    { numRuns: 100 }
  )
})

it("says both readings of what is open, and leaves the choice to the one who asks", async () => {
  expect(readingsOf("1.234", 1).slice(0, 2)).toEqual([1234, 1.234])
  expect(readingsOf("1.234", 5.678).slice(0, 2)).toEqual([1.234, 1234])
  expect(readingsOf("05/12/2026", "2026-01-01").slice(0, 2)).toEqual(["2026-12-05", "2026-05-12"])
  const { dates, numbers } = await read("1.234 05/12/2026")
  expect([...numbers.keys()]).toEqual(expect.arrayContaining([1234, 1.234]))
  expect([...dates.keys()]).toEqual(["2026-12-05", "2026-05-12"])
  expect(aligned("1.234", { type: "number" })).toBe(1.234)
})

it("reads a percentage alike in a text, behind a label, and by a pattern", async () => {
  for (const [text, value] of [
    ["19 %", 19],
    ["7,5 %", 7.5],
    ["5.125 %", 5.125]
  ] as const) {
    expect(percentsIn(`VAT ${text} of 80.00`)).toEqual([value])
    const lexicon = (await read(text)).reading.lexicon
    for (const field of [
      fieldOf("rate", { type: "percent", labels: ["VAT"] }, lexicon),
      fieldOf("rate", { type: "percent", pattern: "VAT (.*%)" }, lexicon)
    ]) {
      const { rate } = await Effect.runPromise(
        extractByRules(printed([`VAT ${text}`]), { fields: [field], relations: [] })
      )
      expect([text, rate?.value]).toEqual([text, value])
    }
  }
})
