import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { isAgent } from "../../src/steps/extract/finders/Agents.ts"
import { readDocument } from "../../src/steps/extract/page/Reading.ts"
import { isUnsupported } from "../../src/steps/extract/scoring/Unsupported.ts"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { printed } from "./PrintedLines.ts"

const firm = "Brayford Surveyors LLP"
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
