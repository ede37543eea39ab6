import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { CurrentLexicon } from "../../../src/extraction/lexicon/CurrentLexicon.ts"
import { readSmallInvoice } from "../../../src/extraction/threads/WarmUp.ts"

it.effect("the invoice that a thread of rules reads before any document is read as one", () =>
  Effect.gen(function* () {
    const { found } = yield* readSmallInvoice(yield* CurrentLexicon)
    expect(found).toMatchObject({
      type: { value: "invoice" },
      number: { value: "17" },
      date: { value: "2026-01-31" },
      currency: { value: "EUR" },
      total: { value: 5 }
    })
  })
)
