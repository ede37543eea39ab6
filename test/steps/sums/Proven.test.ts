import { assert, it } from "@effect/vitest"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { isProven } from "../../../src/extraction/features/Proven.ts"

it("a seller is proven by its letterhead, a shared sign by its country; not in a document of another kind", () => {
  const seller = fieldOf("vendorName", { preset: "invoice.vendorName" })
  const letterhead = { letterhead: 1, score: 0.4, gapOdds: 1.2 }
  assert.isTrue(isProven(seller, letterhead, 0.5))
  const misfit = { ...letterhead, misfit: 0.5 }
  for (const weak of [misfit, { score: 0.4 }, { ...letterhead, gapOdds: 0.8 }])
    assert.isFalse(isProven(seller, weak, 0.5))
  // Recognised letters seem larger: such a name may be the customer's.
  assert.isFalse(isProven(seller, { ...letterhead, unshown: 1, gapOdds: 2.9 }, 0.5))
  assert.isTrue(isProven(seller, { ...letterhead, unshown: 1, gapOdds: 3.9 }, 0.5))
  const currency = fieldOf("currency", { preset: "invoice.currency" })
  const signs = { sharedSign: 1, strongSigns: 1 }
  assert.isTrue(isProven(currency, signs, 0.5))
  assert.isFalse(isProven(currency, { ...signs, rivalSigns: 1 }, 0.5))
  assert.isFalse(isProven(currency, { computed: 1, sharedSign: 1, strongSigns: 3 }, 0.5))
  const number = fieldOf("invoiceNumber", { preset: "invoice.number" })
  const again = { numberAgain: 1, labelled: 1, gap: 0.1 }
  assert.isTrue(isProven(number, again, 0.5))
  assert.isFalse(isProven(number, { ...again, gap: 0.01 }, 0.5))
  for (const doubt of ["behindLetters", "ofInvoice"])
    assert.isFalse(isProven(number, { ...again, [doubt]: 1 }, 0.5), doubt)
  const total = fieldOf("totalAmount", { preset: "invoice.totalAmount" })
  const holds = { agrees: 1, notZero: 1, ownLabel: 1 }
  assert.isTrue(isProven(total, holds, 0.5))
  assert.isFalse(isProven(total, { ...holds, violates: 1 }, 0.5))
  // One print is two amounts, though another one has a label as well.
  assert.isFalse(isProven(total, { ...holds, shared: 1, rivalLabel: 1 }, 0.5))
})
