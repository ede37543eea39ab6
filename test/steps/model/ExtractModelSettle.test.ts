import { assert, describe, it } from "@effect/vitest"
import type { FieldEvidence } from "../../../src/domain/Evidence.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { doubts, equationsOf } from "../../../src/steps/extract/model/Doubts.ts"
import { settle } from "../../../src/steps/extract/model/Settle.ts"

const amount = (name: string) => fieldOf(name, { type: "money" })
const net = amount("net")
const vat = amount("vat")
const total = amount("total")
const all = [net, vat, total]
const equations = equationsOf(["net + vat = total"])

const grounded = (value: unknown, confidence: number, by: "rules" | "llm"): FieldEvidence => ({
  value,
  confidence,
  status: "grounded",
  by
})
const inferred = (value: unknown, confidence: number): FieldEvidence => ({
  value,
  confidence,
  status: "inferred",
  by: "llm"
})
const missing: FieldEvidence = { value: null, confidence: 0, status: "missing" }

const asked = (found: Readonly<Record<string, FieldEvidence>>) =>
  doubts(all, found, equations).map(({ name }) => name)

describe("what a model is asked for", () => {
  it("is what is missing and what earlier sources doubt", () => {
    const sure = { net: grounded(100, 0.9, "rules"), vat: grounded(19, 0.9, "rules") }
    assert.deepStrictEqual(asked({ ...sure, total: grounded(119, 0.9, "rules") }), [])
    assert.deepStrictEqual(asked({ ...sure, total: grounded(119, 0.49, "rules") }), ["total"])
    assert.deepStrictEqual(asked({ ...sure, total: missing }), ["total"])
  })

  it("is every amount of a sum that does not come out", () => {
    const found = {
      net: grounded(100, 0.9, "rules"),
      vat: grounded(19, 0.9, "rules"),
      total: grounded(190, 0.9, "rules")
    }
    assert.deepStrictEqual(asked(found), ["net", "vat", "total"])
  })

  it("is what does not fit its pattern, or is nowhere although it must be", () => {
    const policy = fieldOf("policy", { type: "identifier", pattern: "([A-Z]{3}-[0-9]+)/" })
    assert.deepStrictEqual(
      doubts([policy], { policy: { ...grounded("ABC-12", 0.9, "rules"), text: "ABC-12/7" } }, []),
      []
    )
    assert.deepStrictEqual(doubts([policy], { policy: grounded("12", 0.9, "rules") }, []), [policy])
    const strict = fieldOf("x", { type: "string", grounded: true })
    assert.deepStrictEqual(doubts([strict], { x: inferred("a", 0.9) }, []), [strict])
  })
})

describe("what is taken of what rules and a model say", () => {
  it("is no surer for a value that the model was told of a similar document", () => {
    const [before, said] = [{ total: grounded(6, 0.4, "rules") }, { total: grounded(6, 0.6, "llm") }]
    assert.strictEqual(settle([total], before, said, []).found["total"]?.confidence, 0.76)
    assert.strictEqual(settle([total], before, said, [], () => true).found["total"]?.confidence, 0.6)
  })

  it("makes the sum come out, and says what was read before", () => {
    const before = {
      net: grounded(100, 0.7, "rules"),
      vat: grounded(19, 0.7, "rules"),
      total: grounded(190, 0.9, "rules")
    }
    const said = {
      net: grounded(100, 0.8, "llm"),
      vat: grounded(10, 0.8, "llm"),
      total: grounded(119, 0.7, "llm")
    }
    const { found, warnings } = settle(all, before, said, equations)
    assert.deepStrictEqual(
      all.map(({ name }) => found[name]?.value),
      [100, 19, 119]
    )
    // Both say the net amount: surer than either.
    assert.isAbove(found["net"]?.confidence ?? 0, 0.9)
    assert.isAbove(found["total"]?.confidence ?? 0, 0.7)
    assert.deepStrictEqual(warnings, [
      "vat: 19 was read before, the model reads 10; using 19.",
      "total: 190 was read before, the model reads 119; using 119."
    ])
  })

  it("is what is in the document rather than what is nowhere", () => {
    const before = { total: grounded(5, 0.3, "rules") }
    const { found } = settle([total], before, { total: inferred(6, 0.45) }, [])
    assert.strictEqual(found["total"]?.value, 5)
  })

  it("keeps what was known where the model says nothing, and never makes an inferred value sure", () => {
    const before = { net: grounded(100, 0.4, "rules"), vat: grounded(19, 0.9, "rules"), total: missing }
    const { found } = settle(all, before, { net: missing, total: inferred(119, 0.3) }, equations)
    assert.deepStrictEqual(found["net"], before.net)
    assert.strictEqual(found["total"]?.status, "inferred")
    assert.isAtMost(found["total"]?.confidence ?? 1, 0.5)
  })

  it("stays in doubt where a sum does not come out, whoever repeats it", () => {
    const before = {
      net: grounded(100, 0.6, "rules"),
      vat: grounded(19, 0.6, "rules"),
      total: grounded(999, 0.6, "rules")
    }
    const said = {
      net: grounded(100, 0.9, "llm"),
      vat: grounded(19, 0.9, "llm"),
      total: grounded(999, 0.9, "llm")
    }
    for (const known of [before, { net: missing, vat: missing, total: missing }]) {
      const { found } = settle(all, known, said, equations)
      for (const { name } of all) assert.isAtMost(found[name]?.confidence ?? 1, 0.6)
    }
  })
})
