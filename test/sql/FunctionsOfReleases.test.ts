import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll } from "vitest"
import { layerEmptyStore } from "../support/EmptyStore.ts"
import * as fc from "../support/FastCheck.ts"
import {
  type Acceptance,
  acceptances,
  acceptAsBefore,
  acceptNow,
  leftBy,
  makeOrganization,
  numbered,
  type Row,
  type Statement,
  writeAsBefore,
  writeNow
} from "./Releases.ts"

/**
 * Processes of two releases may share a database while a service is rolled out: whatever the functions of the older one leave, those of
 * this one leave too.
 */
const store = ManagedRuntime.make(
  layerEmptyStore.pipe(Layer.provide(Layer.merge(NodeCrypto.layer, NodeServices.layer)))
)
afterAll(() => store.dispose())

const acceptance: fc.Arbitrary<Acceptance> = fc.record({
  cost: fc.constantFrom(0, 1, 2.5, 7.12345),
  concurrency: fc.constantFrom(1, 3, 100),
  key: fc.constantFrom(undefined, "a", "b"),
  fingerprint: fc.constantFrom("f", "g"),
  hook: fc.constantFrom(undefined, "https://example.com/hook"),
  events: fc.constantFrom(undefined, ["execution.completed"], ["execution.failed", "corrections.saved"]),
  bytes: fc.constantFrom(undefined, "aGVsbG8="),
  reused: fc.constantFrom(undefined, ["a"], ["a", "b", "c"])
})

const write = fc.oneof(
  fc.record({ act: fc.constant("start"), owed: fc.constantFrom(0, 1), brief: fc.boolean() }),
  fc.record({
    act: fc.constant("begin"),
    step: fc.constantFrom("a", "b"),
    percentage: fc.constantFrom(0, 33.3, 50)
  }),
  fc.record({
    act: fc.constant("record"),
    step: fc.constantFrom("a", "b", "b.c"),
    kind: fc.constant("transform"),
    status: fc.constantFrom("completed", "failed", "skipped"),
    percentage: fc.constantFrom(10, 66.6),
    review: fc.constantFrom(0, 2),
    output: fc.constantFrom("", '{"a":1}', "null"),
    blob: fc.constantFrom(undefined, "blob"),
    error: fc.constantFrom(undefined, { code: "X" })
  })
)
const end = fc.record({
  act: fc.constant("end"),
  status: fc.constantFrom("completed", "failed", "cancelled"),
  output: fc.constantFrom("", '{"b":2}'),
  error: fc.constantFrom(undefined, { code: "Y" })
})
const statement: fc.Arbitrary<Statement> = fc.array(
  fc.tuple(fc.array(write, { maxLength: 4 }), fc.option(end, { nil: undefined })),
  {
    minLength: 1,
    maxLength: 3
  }
)

const alike = (rows: ReadonlyArray<Row>, organization: string): string =>
  JSON.stringify(rows).replaceAll(organization, "org")

let round = 0

describe("the functions of this release and of the one before", () => {
  it("accept and refuse the same runs, and leave the same", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(acceptance, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0, 5, 1000),
        async (batches, credits) => {
          round += 1
          const [before, now] = [`before-${round}-x`, `now-${round}-x`]
          await store.runPromise(
            Effect.gen(function* () {
              yield* makeOrganization(before, credits)
              yield* makeOrganization(now, credits)
              for (const [batch, wanted] of batches.entries()) {
                const expected = yield* acceptAsBefore(before, acceptances(before, wanted, batch))
                const found = yield* acceptNow(now, acceptances(now, wanted, batch))
                assert.strictEqual(alike(found, now), alike(expected, before))
              }
              assert.deepStrictEqual(yield* leftBy(now), yield* leftBy(before))
            })
          )
        }
      ),
      { numRuns: 60 }
    )
  })

  it("write the same of runs, ends included, in whatever order it comes", async () => {
    const run = { cost: 6, concurrency: 100, fingerprint: "f", key: undefined, bytes: undefined }
    await fc.assert(
      fc.asyncProperty(
        fc.array(statement, { minLength: 1, maxLength: 4 }),
        fc.record({
          hook: acceptance.map(({ hook }) => hook),
          events: acceptance.map(({ events }) => events),
          reused: acceptance.map(({ reused }) => reused)
        }),
        async (statements, varied) => {
          round += 1
          const [before, now] = [`before-${round}-x`, `now-${round}-x`]
          await store.runPromise(
            Effect.gen(function* () {
              const runs = Array.from({ length: 3 }, () => ({ ...run, ...varied }))
              for (const organization of [before, now]) {
                yield* makeOrganization(organization, 100)
                yield* acceptNow(organization, acceptances(organization, runs, 1))
              }
              const idsOf = (organization: string) => runs.map((_, n) => `exec_1_${n}_${organization}`)
              for (const [minute, wanted] of statements.entries()) {
                const sent = numbered(wanted, minute + 2)
                const expected = yield* writeAsBefore(idsOf(before), sent)
                assert.strictEqual(alike(yield* writeNow(idsOf(now), sent), now), alike(expected, before))
              }
              assert.deepStrictEqual(yield* leftBy(now), yield* leftBy(before))
            })
          )
        }
      ),
      { numRuns: 100 }
    )
  })
})
