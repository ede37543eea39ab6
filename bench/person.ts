/**
 * Measures what a person who corrects one document after another teaches: 20 suppliers with layouts and words of their own, 10
 * documents each, and a slip in one of twenty values that the person types or accepts.
 *
 *   node bench/person.ts [--suppliers 20] [--documents 10] [--slips 0.05] [--seed 1] [--errors]
 *
 * It reports the right values of the next document by the number of corrected ones, the values that examples of other suppliers made
 * wrong, and the slips that still decide a value after three right corrections. The exit code is 1 unless the last two are 0.
 */
import { Effect } from "effect"
import { layoutKeys } from "../src/extraction/examples/Layout.ts"
import type { CorrectedField } from "../src/domain/Corrections.ts"
import { fieldOf } from "../src/extraction/lexicon/Field.ts"
import { taughtBy } from "../src/services/examples/TeachExample.ts"
import { type Asked, extracted, type Taught } from "../test/fixtures/varied/Teaching.ts"
import { printed } from "../test/steps/pages/PrintedLines.ts"

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [suppliers, documents, slips] = [
  option("suppliers", 20),
  option("documents", 10),
  option("slips", 0.05)
]

/** Numbers that are the same for the same seed. */
let state = option("seed", 1)
const random = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
const below = (most: number): number => Math.floor(random() * most)
const pick = <A>(all: ReadonlyArray<A>): A => {
  const one = all[below(all.length)]
  if (one === undefined) throw new Error("Nothing to pick from.")
  return one
}

const asked: Asked = {
  relations: [],
  // Labels that are on no page: only what was taught finds a value.
  fields: [
    fieldOf("number", { type: "identifier", labels: ["Qzv"] }),
    fieldOf("day", { type: "date", labels: ["Qzw"] }),
    fieldOf("order", { type: "identifier", labels: ["Qzx"] }),
    fieldOf("weight", { type: "number", labels: ["Qzy"] }),
    fieldOf("customer", { type: "string", labels: ["Qzz"] })
  ]
}

const words = (
  "Ardent Basin Cobalt Delta Ember Fjord Granite Harbor Indigo Jasper Keystone Lumen Meadow Nimbus Orchid Pioneer Quarry Ridge " +
  "Summit Timber Umber Valley Willow Yonder Zephyr"
).split(" ")
const customers = [
  "Northwind Bakery",
  "Olive Street Market",
  "Harlan Tools",
  "Casa Verde",
  "Blue Lantern Inn"
]

type Values = Readonly<Record<string, string | number>>

/** A supplier's layout: its name, its labels, their order, and the columns in which values are printed. */
const supplierOf = (index: number) => {
  // Words that no other supplier has, without digits: numbers do not describe a layout.
  const ending = String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))
  const word = () => `${pick(words)}${ending}`
  const name = `${word()} ${pick(words)} Supplies`
  const labels = asked.fields.map((field) => ({
    field: field.name,
    label: `${word()} ${pick(words).toLowerCase()}`
  }))
  const order = labels.toSorted(() => random() - 0.5)
  const column = 24 + below(16)
  const heading = [name, `${word()} Road ${index + 1}`, "", `${word()} ${word()} note`, ""]
  const page = (values: Values) =>
    printed([
      ...heading,
      ...order.map(({ field, label }) => `${label.padEnd(column)}${values[field] ?? ""}`),
      "",
      ...Array.from({ length: below(4) }, (_, row) => `Pallet ${row + 1} of the load was examined`),
      `${word()} thanks you for your trust`
    ])
  return { name, page }
}

const valuesOf = (): Values => ({
  number: `${pick(["N", "D", "L"])}${10_000 + below(90_000)}`,
  day: `2026-${String(1 + below(12)).padStart(2, "0")}-${String(1 + below(28)).padStart(2, "0")}`,
  order: `PO-${100_000 + below(900_000)}`,
  weight: 100 + below(9000),
  customer: pick(customers)
})

interface Slip {
  readonly field: string
  readonly at: number
}

const program = Effect.gen(function* () {
  const everyone: Array<Taught> = []
  const byCorrections = Array.from({ length: documents }, () => ({ right: 0, sure: 0, sureWrong: 0, all: 0 }))
  let [harmed, made, survived] = [0, 0, 0]
  for (let index = 0; index < suppliers; index++) {
    const supplier = supplierOf(index)
    const own: Array<Slip> = []
    for (let at = 0; at < documents; at++) {
      const truth = valuesOf()
      const document = supplier.page(truth)
      const found = yield* extracted(document, asked, everyone)
      const isRight = (field: string) => found[field]?.value === truth[field]
      if (at === 0) {
        const alone = yield* extracted(document, asked, [])
        const worse = asked.fields.filter(({ name }) => {
          const value = found[name]?.value ?? null
          return value !== (alone[name]?.value ?? null) && value !== truth[name]
        })
        harmed += worse.length
        if (process.argv.includes("--errors"))
          for (const { name } of worse)
            console.log(`${supplier.name}, by others: ${name} is ${JSON.stringify(found[name])}`)
      }
      const tally = byCorrections[at]
      for (const { name } of asked.fields) {
        if (tally === undefined) continue
        tally.all++
        const isSure = (found[name]?.confidence ?? 0) >= 0.8
        tally.right += isRight(name) ? 1 : 0
        tally.sure += isSure ? 1 : 0
        tally.sureWrong += isSure && !isRight(name) ? 1 : 0
        // The latest slip of a field, with three right corrections since then.
        const slip = own.findLast(({ field }) => field === name)
        if (slip !== undefined && at - slip.at > 3 && !isRight(name)) {
          survived++
          if (process.argv.includes("--errors"))
            console.log(`${supplier.name}, document ${at + 1}: ${name} is ${JSON.stringify(found[name])}`)
        }
      }
      const corrections = asked.fields.map(({ name }): CorrectedField => {
        const isSlip = random() < slips
        if (isSlip) {
          own.push({ field: name, at })
          made++
        }
        const other = pick(asked.fields.filter((field) => field.name !== name)).name
        // A slip accepts what is wrong, or else types what is printed for another field.
        const value =
          (isSlip ? (isRight(name) ? truth[other] : found[name]?.value) : truth[name]) ?? truth[other]
        return {
          step: "fields",
          field: name,
          value,
          accepted: value === found[name]?.value,
          by: "person",
          at: ""
        }
      })
      const taught = taughtBy(
        found,
        corrections,
        new Map(document.pages.map((page) => [page.pageNumber, page]))
      )
      if (taught === undefined) continue
      const id = `${index}-${at}`
      const keys = new Set(layoutKeys(taught.words))
      everyone.push({ id, executionId: id, learnedAt: everyone.length, ...taught, keys })
    }
  }
  return { byCorrections, harmed, made, survived }
})

const { byCorrections, harmed, made, survived } = await Effect.runPromise(program)
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8)
console.log("corrected documents   right     sure   sure and wrong")
for (const [corrected, { all, right, sure, sureWrong }] of byCorrections.entries())
  console.log(
    `${String(corrected).padStart(19)} ${percent(right / all)} ${percent(sure / all)} ${String(sureWrong).padStart(8)}`
  )
console.log(`${harmed} values that examples of other suppliers made wrong`)
console.log(`${survived} values that one of ${made} slips still decides after three right corrections`)
process.exitCode = harmed + survived === 0 ? 0 : 1
