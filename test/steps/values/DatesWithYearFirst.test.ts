import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("date", { preset: "receipt.date" }),
  fieldOf("totalAmount", { preset: "receipt.totalAmount" })
]

const dateOn = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
  yield* TestClock.setTime(Date.parse("2026-11-26"))
  const { date } = yield* extractByRules(
    printed(["BISTRO CHEZ MARGUERITE", "DATE/HEURE 25/11/15 20:47:33", "TOTAL 52.89", ...lines]),
    { fields, relations: [] }
  )
  return date
})

it.effect("a date of long ago that may begin with its year is never sure", () =>
  Effect.gen(function* () {
    expect((yield* dateOn([]))?.confidence).toBeLessThan(0.8)
  })
)
