import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { isAgent } from "../../../src/extraction/names/Agents.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { isUnsupported } from "../../../src/extraction/features/Unsupported.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import type { Ranked } from "../../../src/extraction/candidates/Ranked.ts"
import { blockAround } from "../../../src/extraction/names/NameBlock.ts"
import { namesIn } from "../../../src/extraction/layout/NamesIn.ts"
import { segmentsOf } from "../../../src/extraction/layout/Segments.ts"
import { nameProofs } from "../../../src/extraction/features/Proofs.ts"
import type { Features } from "../../../src/extraction/Features.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { printed } from "../pages/PrintedLines.ts"

const firm = "Brayford Surveyors LLP"
const name = (features: Features): Ranked => ({
  span: { page: 0, row: 0, from: 0, to: 1 },
  bbox: { x: 40, y: 40, w: 100, h: 10 },
  text: firm,
  value: firm,
  quality: 1,
  score: 0.9,
  features: { rivalLabel: 0, rivalBlock: 0, large: 0, ...features }
})

const rival = (chosen: Ranked, others: ReadonlyArray<Ranked>) => nameProofs(chosen, others).largerRival

const isAgentIn = (...lines: ReadonlyArray<string>) =>
  Effect.map(readDocument(printed([firm, ...lines]), [], undefined), (reading) => isAgent(reading, firm))

it.effect("a firm that says it issues an invoice for another firm is an agent", () =>
  Effect.gen(function* () {
    assert.isTrue(
      yield* isAgentIn(
        "as managing agents for and on behalf of the Landlord, Castlegate Estates (Lincoln) Ltd"
      )
    )
    assert.isTrue(yield* isAgentIn("au nom et pour le compte de la Société Bordin SARL"))
  })
)

it.effect("one that signs on its own behalf, or pays on somebody's, is none", () =>
  Effect.gen(function* () {
    assert.isFalse(yield* isAgentIn("For and on behalf of Brayford Surveyors LLP"))
    assert.isFalse(yield* isAgentIn("Search fees paid on behalf of client 45.00"))
  })
)

it("an agent is not surely the seller", () => {
  const seller = fieldOf("vendorName", { preset: "invoice.vendorName" })
  const clear = { gapOdds: 4, labelsKnown: 4 }
  assert.isFalse(isUnsupported(seller, clear))
  assert.isTrue(isUnsupported(seller, { ...clear, agent: 1 }))
})

it("neither is a firm where a larger name is registered as well, unless a label names it", () => {
  const larger = name({ large: 0.5, registrationBelow: 1 })
  assert.strictEqual(rival(name({ form: 1 }), [larger]), 1)
  assert.strictEqual(rival(name({ form: 1, ownLabel: 1 }), [larger]), 0)
  assert.strictEqual(rival(name({ form: 1 }), [name({ large: 0.5 })]), 0)
  assert.strictEqual(
    rival(name({ form: 1 }), [name({ large: 0.5, registrationBelow: 1, rivalBlock: 0.9 })]),
    0
  )
  const seller = fieldOf("vendorName", { preset: "invoice.vendorName" })
  assert.isTrue(isUnsupported(seller, { gapOdds: 4, labelsKnown: 4, largerRival: 1 }))
})

it.effect("a sole trader may name the owner as others name whom a letter is for", () =>
  Effect.gen(function* () {
    const page = placedPage(
      linesOf(40, 14, [
        { 40: "Fjordens Vinduespolering" },
        { 40: "v/ Mads Toft" },
        { 40: "Strandvejen 6, 4040 Jyllinge" },
        { 40: "Tlf. 55 50 12 18" }
      ])
    )
    const reading = yield* readDocument(page, [], undefined)
    const [first] = reading.pages
    const [trader] = segmentsOf(reading)
    assert.isDefined(first)
    assert.isDefined(trader)
    if (first === undefined || trader === undefined) return
    assert.isFalse(blockAround(first, trader, namesIn(reading)).addressed)
  })
)
