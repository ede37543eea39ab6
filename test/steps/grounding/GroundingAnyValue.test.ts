import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "../../support/FastCheck.ts"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import type { Claim } from "../../../src/extraction/grounding/Ground.ts"
import { documentOf, look, pageOf } from "./GroundingPages.ts"

/** A value, and one of the ways in which it may be printed. */
interface Printed {
  readonly definition: FieldDefinition
  readonly value: string | number
  readonly print: string
}

const grouped = (whole: string, separator: string): string => whole.replace(/\B(?=(?:\d{3})+$)/gu, separator)

const notations = [
  { group: ",", point: "." },
  { group: ".", point: "," },
  { group: " ", point: "," },
  { group: "\u00A0", point: "," },
  { group: "'", point: "." },
  { group: "’", point: "." },
  { group: "", point: "." },
  { group: "", point: "," }
]
const around: ReadonlyArray<(amount: string) => string> = [
  (amount) => amount,
  (amount) => `${amount} €`,
  (amount) => `€${amount}`,
  (amount) => `EUR ${amount}`,
  (amount) => `US$ ${amount}`,
  (amount) => `${amount} CHF`,
  (amount) => `£${amount}`,
  (amount) => `${amount}円`,
  (amount) => `${amount}*`
]
const digitSets = ["0123456789", "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९"]

const money: fc.Arbitrary<Printed> = fc
  .record({
    cents: fc.integer({ min: 1, max: 999_999_999 }),
    notation: fc.constantFrom(...notations),
    around: fc.constantFrom(...around),
    digits: fc.oneof({ weight: 4, arbitrary: fc.constant(digitSets[0] ?? "") }, fc.constantFrom(...digitSets))
  })
  .map(({ cents, notation, around, digits }) => {
    const [whole = "", fraction = ""] = (cents / 100).toFixed(2).split(".")
    const plain = `${grouped(whole, notation.group)}${notation.point}${fraction}`
    const amount = plain.replace(/\d/gu, (digit) => digits.charAt(Number(digit)))
    return { definition: { type: "money" }, value: cents / 100, print: around(amount) }
  })

const months: ReadonlyArray<ReadonlyArray<string>> = [
  "January February March April May June July August September October November December",
  "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  "januari februari maart april mei juni juli augustus september oktober november december",
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
].map((names) => names.split(" "))

const two = (value: number): string => String(value).padStart(2, "0")

const date: fc.Arbitrary<Printed> = fc
  .record({
    year: fc.integer({ min: 1990, max: 2060 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    names: fc.constantFrom(...months),
    form: fc.integer({ min: 0, max: 9 })
  })
  .map(({ year, month, day, names, form }) => {
    const name = names[month - 1] ?? ""
    const forms = [
      `${year}-${two(month)}-${two(day)}`,
      `${two(day)}.${two(month)}.${year}`,
      `${day}/${month}/${year}`,
      `${two(month)}/${two(day)}/${year}`,
      `${day}. ${name} ${year}`,
      `${day} ${name.toUpperCase()} ${year}`,
      `${name} ${day}, ${year}`,
      `${day} de ${name} de ${year}`,
      `${year}年${month}月${day}日`,
      `${year}년 ${month}월 ${day}일`
    ]
    return {
      definition: { type: "date" },
      value: `${year}-${two(month)}-${two(day)}`,
      print: forms[form] ?? ""
    }
  })

const names = [
  "Müller & Söhne GmbH",
  "ACME Tools, Inc.",
  "Société Générale",
  "株式会社サンプル",
  "ООО «Ромашка»",
  "O’Brien–Smith Ltd",
  "Grün­wald ofﬁce"
]

const identifier: fc.Arbitrary<Printed> = fc
  .tuple(fc.stringMatching(/^[A-Z]{2,4}$/), fc.constantFrom("-", "/", ""), fc.stringMatching(/^\d{5,9}$/))
  .map((parts) => ({ definition: { type: "identifier" }, value: parts.join(""), print: parts.join("") }))

const name: fc.Arbitrary<Printed> = fc
  .tuple(fc.constantFrom(...names), fc.boolean())
  .map(([text, upper]) => ({
    definition: { type: "string" },
    value: text.normalize("NFKC").replaceAll("\u00AD", ""),
    print: upper ? text.toUpperCase() : text
  }))

const printed = fc.oneof(money, date, identifier, name)

const words = fc.array(fc.constantFrom("lorem", "ipsum", "dolor", "sit", "amet", "pro", "rata"), {
  minLength: 1,
  maxLength: 6
})
const filler = fc.array(
  words.map((words) => words.join(" ")),
  { maxLength: 8 }
)

const find = (
  printed: Printed,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  claim: Claim
) => {
  const pages = [
    pageOf(["a cover", ...after]),
    pageOf(
      [
        ...before,
        `${before.length % 2 === 0 ? "Label: " : ""}${printed.print} ${after.length % 2 === 0 ? "" : "pro"}`,
        ...after
      ],
      2
    )
  ]
  return Effect.runPromise(look(documentOf(...pages), printed.definition, claim))
}

/** The words of the page that the value's text is made of. */
const core = (text: string): string => text.replace(/\s+/gu, " ").trim()

const changed = (value: string | number, by: number): string | number => {
  if (typeof value === "number") return Math.round(value * 100 + by * 7) / 100 + 10_000_000
  if (/^\d{4}-\d{2}-\d{2}$/u.test(value)) {
    return new Date(Date.parse(value) + (32 + by) * 864e5)
      .toISOString()
      .slice(0, 10)
      .replace(/^\d{4}/u, "2099")
  }
  const digit = /\d/u.exec(value)
  if (digit === null) return `${value.slice(0, -2)}qq`
  return value.replace(digit[0], String((Number(digit[0]) + by) % 10))
}

describe("any value, printed in any way", () => {
  it("is found on its page, in a box that covers it", async () => {
    await fc.assert(
      fc.asyncProperty(printed, filler, filler, async (printed, before, after) => {
        const seen = await find(printed, before, after, { value: printed.value })
        assert.strictEqual(seen?.page, 2, printed.print)
        const inside = core(seen?.words ?? "")
        // A box covers whole words, and an amount without the currency that is set apart from it.
        const print = core(printed.print)
        assert.isTrue(
          inside.includes(print) || (print.includes(inside) && /\p{Nd}/u.test(inside)),
          `${print}: ${inside}`
        )
      }),
      { numRuns: 400 }
    )
  })

  it("is not found where another one is printed, whatever is quoted", async () => {
    await fc.assert(
      fc.asyncProperty(
        printed,
        filler,
        filler,
        fc.integer({ min: 1, max: 9 }),
        async (printed, before, after, by) => {
          const value = changed(printed.value, by)
          const seen = await find(printed, before, after, { value, quote: printed.print, page: 2 })
          assert.isUndefined(seen, `${value} in ${printed.print}`)
        }
      ),
      { numRuns: 400 }
    )
  })
})
