import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { best, type Ranked } from "../../../src/extraction/candidates/Ranked.ts"
import { proposals } from "../../../src/extraction/candidates/Rank.ts"
import { finalEvidence } from "../../../src/extraction/features/FinalEvidence.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { grounded } from "../../../src/extraction/rules/RuleEvidence.ts"
import { printed } from "../pages/PrintedLines.ts"
import { readPrinted } from "../pages/ReadPrinted.ts"

const page = (total: string) =>
  printed([
    "INVOICE                               Invoice number AA-00001",
    "Towne Smith Ltd                       Invoice date: 2020-02-14",
    "Description          Parcels    Weight",
    "Service 1              1        180.00",
    "Express post           1         19.90",
    total
  ])

const field = fieldOf("totalAmount", { preset: "invoice.totalAmount" })

/** The total of a page where the sums led to the amount of a line. */
const totalOf = Effect.fnUntraced(function* (total: string) {
  const reading = yield* readDocument(page(total), [field], undefined)
  const ranked = best(proposals(reading, field, reading.money).all)
  const chosen = ranked.find(({ value }) => value === 19.9)
  const placeOf = (one: Ranked) => grounded(reading, [one])
  const settled = new Map(
    chosen === undefined ? [] : [[field.name, { evidence: placeOf(chosen), ranked, chosen }] as const]
  )
  const { evidence } = finalEvidence(reading, settled, [field], { misfit: 0, placeOf })
  return evidence.get(field.name)?.value
})

it.effect("an amount that is too unlikely is not given; one that its label names takes its place", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* totalOf("Total amount                             199.90"), 199.9)
    assert.isNull(yield* totalOf("Number of parcels                        199.90"))
  })
)

it.effect.each([
  "Makspris per døgn er 260,00 kr. Klage sendes skriftlig.",
  "The most that we charge for a day is 260.00 EUR"
])("an amount in a sentence is none without a label: %s", (sentence) =>
  Effect.gen(function* () {
    const reading = yield* readDocument(
      printed(["ParkTrygg AS", "Sum NOK   116,00", sentence]),
      [field],
      undefined
    )
    const { all } = proposals(reading, field, reading.money)
    assert.notInclude(
      all.map(({ value }) => value),
      260
    )
  })
)

it.effect(
  "an amount with a label is not given where it is rather not the value: the total of a payslip",
  () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "PAYSLIP                                     Pay period July 2025",
        "Employer: Greenfield Foods Ltd              Employee no. 00417",
        "Basic pay                                   2,000.00",
        "Overtime                                      150.00",
        "Gross pay                                   2,150.00",
        "PAYE tax                                     -286.40",
        "National Insurance                           -120.16",
        "Total deductions                              406.56",
        "Net pay                                     1,743.44",
        "Total                                       1,743.44"
      ])
      assert.isNull(values["totalAmount"])
    })
)
