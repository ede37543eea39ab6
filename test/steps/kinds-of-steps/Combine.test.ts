import { Effect, Schema } from "effect"
import * as fc from "../../support/FastCheck.ts"
import { describe, expect, it } from "vitest"
import { check, StepRegistry } from "../../../dsl/index.ts"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import type { FieldEvidence } from "../../../src/domain/Evidence.ts"
import { combine, CombineConfig } from "../../../src/steps/Combine.ts"
import { head, sha256 } from "../../dsl/Support.ts"
import { meaningOf } from "../../../src/steps/combine/CombineCandidates.ts"

const context: StepContext = {
  executionId: "e",
  path: "p",
  environment: "test",
  progress: () => Effect.void
}

const attempt = (config: typeof CombineConfig.Encoded) =>
  Effect.runSync(Effect.result(combine.run(Schema.decodeUnknownSync(CombineConfig)(config), context)))

const combined = (config: typeof CombineConfig.Encoded) => {
  const result = attempt(config)
  if (result._tag === "Failure") throw result.failure
  return result.success
}

const found = (value: unknown, confidence: number, rest: Partial<FieldEvidence> = {}): FieldEvidence => ({
  value,
  confidence,
  status: "grounded",
  page: 1,
  bbox: { x: 1, y: 2, w: 3, h: 4 },
  by: "llm",
  ...rest
})
const missing: FieldEvidence = { value: null, confidence: 0, status: "missing" }

const valuesOf = (fields: Readonly<Record<string, FieldEvidence>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))

/** Combines sources that are given by their evidence. */
const together = (
  by: (typeof CombineConfig.Type)["by"],
  ...fields: ReadonlyArray<Readonly<Record<string, FieldEvidence>>>
) => combined({ by, from: fields.map(valuesOf), fields })

describe("combine", () => {
  const from = [
    { total: 3, name: null, rows: [{ a: 1 }] },
    { total: 4, name: "B", rows: [{ a: 1 }] },
    { total: 4, name: null, rows: [{ a: 1 }] }
  ]

  it("takes the first value, the one of most, or only what enough agree on", () => {
    expect(combined({ from, by: "merge" }).values).toEqual({ total: 3, name: "B", rows: [{ a: 1 }] })
    expect(combined({ from, by: "vote" })).toEqual({
      values: { total: 4, name: "B", rows: [{ a: 1 }] },
      votes: { total: 2, name: 1, rows: 3 },
      disputed: ["total"],
      fields: {},
      alternatives: {
        total: [
          { value: 3, votes: 1 },
          { value: 4, votes: 2 }
        ]
      }
    })
    expect(combined({ from, by: "consensus" }).values).toEqual({ total: 4, name: null, rows: [{ a: 1 }] })
    const nothingElse = { total: null, name: null, rows: [{ a: 1 }] }
    expect(combined({ from, by: "consensus", atLeast: 3 }).values).toEqual(nothingElse)
    expect(combined({ from, by: "unanimous" }).values).toEqual(nothingElse)
  })

  it("counts values that mean the same as the same", () => {
    const spellings = [
      { name: "ACME  Ltd", total: 10.001, day: "2026-01-02", rows: [{ text: "Milk ", note: null }] },
      { name: "Acme Ltd ", total: 10, day: "2026-02-01", rows: [{ text: "milk" }] }
    ]
    const { disputed, values, votes } = combined({ from: spellings, by: "vote" })
    expect(votes).toEqual({ name: 2, total: 2, day: 1, rows: 2 })
    expect(disputed).toEqual(["day"])
    expect(values).toEqual(spellings[0])
    expect(combined({ from: [{ a: 1 }, { a: "1" }], by: "vote" }).disputed).toEqual(["a"])
  })

  it("gives no vote to a table without rows, to a source that failed, or to a field that is missing", () => {
    const { values, votes } = combined({
      from: [{ rows: [], other: [] }, { rows: [], other: [] }, { rows: [{ a: 1 }], other: [] }, null],
      by: "vote"
    })
    expect(values).toEqual({ rows: [{ a: 1 }], other: [] })
    expect(votes).toEqual({ rows: 1, other: 0 })
    expect(together("unanimous", { a: found(1, 0.9) }, { a: missing }).values).toEqual({ a: null })
  })

  it("keeps the place of the best founded source, with more confidence where sources agree", () => {
    const { fields, values } = together(
      "vote",
      { total: found(4, 0.6, { status: "inferred" }), name: found("A", 0.7) },
      { total: found(4, 0.5, { page: 3, text: "4.00" }), name: found("B", 0.9) },
      { total: missing, name: missing }
    )
    // 1 - (1 - 0.6)(1 - 0.5/2)
    expect(fields["total"]).toEqual(found(4, 0.7, { page: 3, text: "4.00" }))
    // 0.7 · (1 - 0.9/2)
    expect(fields["name"]).toEqual(found("A", 0.39))
    expect(values).toEqual({ total: 4, name: "A" })
    expect(together("unanimous", { a: found(1, 1) }, { a: found(2, 1) }).fields).toEqual({ a: missing })
  })

  it("takes the surest value, and needs evidence for it", () => {
    expect(together("best", { a: found("x", 0.4) }, { a: found("y", 0.8) }).values).toEqual({ a: "y" })
    expect(attempt({ from: [{ a: 1 }], by: "best" })).toMatchObject({
      failure: { _tag: "EvidenceMismatch", message: expect.stringContaining("`fields`") }
    })
    expect(attempt({ from: [{ a: 1 }, { a: 1 }], fields: [{}], by: "vote" })).toMatchObject({
      failure: { message: "`combine` has 2 sources and the evidence of 1." }
    })
  })
})

describe("combine in a flow", () => {
  it("is checked to have the evidence that `best` needs", () => {
    const steps = "steps: [{ id: c, uses: combine, with: { from: [{ a: 1 }], by: best } }]"
    const checked = check(`${head}${steps}\noutput: { value: { it: "\${{ steps.c.values.a }}" } }\n`, {
      file: "flow.yaml",
      formats: ["application/pdf"],
      registry: StepRegistry.make([combine]),
      sha256
    })
    expect(checked).toMatchObject({
      failure: [{ path: "steps[0].with.by", message: expect.stringContaining("`fields`") }]
    })
  })
})

describe("combine, whatever the sources say", () => {
  const value = fc.oneof(
    fc.constantFrom("acme", "ACME ", "  Acme", "other", "", null),
    fc.constantFrom(1, 1.001, 0.999, 2, 1.01, -0.001, 0),
    fc.constantFrom([], [{ a: 1 }], [{ a: 1.001 }], { a: "x" })
  )
  const evidence = value.chain((some) =>
    fc.record({
      value: fc.constant(some),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      status: fc.constantFrom("grounded" as const, "inferred" as const)
    })
  )
  const source = fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), evidence)
  const sources = fc.array(source, { minLength: 1, maxLength: 5 })
  const by = fc.constantFrom(
    "merge" as const,
    "vote" as const,
    "unanimous" as const,
    "best" as const,
    "consensus" as const
  )

  it("never makes up a value, and counts its votes right", () => {
    fc.assert(
      fc.property(by, sources, (way, all) => {
        const { fields, values, votes } = together(way, ...all)
        for (const [name, chosen] of Object.entries(values)) {
          const given = all.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]?.value ?? null] : []))
          if (votes[name] === 0) expect([[], null]).toContainEqual(chosen)
          else {
            expect(given).toContainEqual(chosen)
            expect(given.filter((each) => meaningOf(each) === meaningOf(chosen))).toHaveLength(
              votes[name] ?? 0
            )
          }
          expect(fields[name]?.value).toEqual(chosen)
          expect(fields[name]?.confidence).toBeGreaterThanOrEqual(0)
          expect(fields[name]?.confidence).toBeLessThanOrEqual(1)
        }
      })
    )
  })

  it("does not depend on the order of the sources where all must agree or one has most votes", () => {
    fc.assert(
      fc.property(sources, (all) => {
        const forwards = together("unanimous", ...all)
        const backwards = together("unanimous", ...all.toReversed())
        const meanings = ({ values }: typeof forwards) =>
          Object.fromEntries(Object.entries(values).map(([name, each]) => [name, meaningOf(each)]))
        expect(meanings(backwards)).toEqual(meanings(forwards))
        expect(backwards.votes).toEqual(forwards.votes)
        expect(together("vote", ...all.toReversed()).votes).toEqual(together("vote", ...all).votes)
      })
    )
  })

  it("is surer with every source that agrees and less sure with every one that does not", () => {
    const sure = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(sure, { minLength: 1, maxLength: 4 }), sure, (confidences, one) => {
        const agreeing = confidences.map((confidence) => ({ a: found("x", confidence) }))
        const confidence = (...rest: ReadonlyArray<Record<string, FieldEvidence>>) =>
          together("merge", ...agreeing, ...rest).fields["a"]?.confidence ?? -1
        const alone = confidence()
        expect(alone).toBeGreaterThanOrEqual(Math.round(Math.max(...confidences) * 100) / 100 - 0.01)
        expect(confidence({ a: found("X ", one) })).toBeGreaterThanOrEqual(alone)
        expect(confidence({ a: found("y", one) })).toBeLessThanOrEqual(alone)
      })
    )
  })
})
