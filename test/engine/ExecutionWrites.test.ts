import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Layer, ManagedRuntime, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"
import { ExecutionWrites, type Write } from "../../src/engine/journal/ExecutionWrites.ts"
import { Signals } from "../../src/engine/signals/Signals.ts"
import { jsonText } from "../../src/sql/Json.ts"
import { layerEmptyStore } from "../support/EmptyStore.ts"
import * as fc from "../support/FastCheck.ts"

// Nobody follows these executions.
const signals = Layer.mock(Signals)({ announceChange: () => Effect.void })

const store = ManagedRuntime.make(
  ExecutionWrites.layer.pipe(
    Layer.provide(signals),
    Layer.provideMerge(layerEmptyStore),
    Layer.provide(Layer.merge(NodeCrypto.layer, NodeServices.layer))
  )
)
afterAll(() => store.dispose())

const ids = ["exec_1", "exec_2", "exec_3"]

const running = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into organizations (id, name, plan) values ('org', 'test', 'pro')`
  for (const id of ids)
    yield* sql`
      insert into executions
        (id, organization_id, environment, flow_id, version, status, created_at, variables, page_count, step_count)
      values (${id}, 'org', 'test', 'text', '1.0.0', 'running', now(), '{}', 1, 1)`
})

/** A record of a step, as a runner writes it. */
const recordOf = (step: string, output: string | undefined): Write => ({
  act: "record",
  step,
  kind: "transform",
  status: "completed",
  started: DateTime.toDateUtc(DateTime.makeUnsafe("2026-01-01T00:00:00Z")),
  duration: 1,
  attempts: 1,
  percentage: 50,
  review: 0,
  output,
  blob: undefined,
  error: null,
  entry: { step }
})

interface Step {
  readonly path: string
  readonly output: unknown
}

/** Writes the steps of each execution, all at once. */
const write = Effect.fnUntraced(function* (steps: ReadonlyArray<ReadonlyArray<Step>>) {
  const writes = yield* ExecutionWrites
  const at = yield* DateTime.nowAsDate
  const offered = yield* Effect.forEach(ids, (id, number) =>
    Effect.forEach(steps[number] ?? [], ({ output, path }) =>
      writes.offer(id, at, recordOf(path, output === null ? undefined : jsonText(output)))
    )
  )
  yield* Effect.forEach(offered.flat(), Deferred.await)
})

const decodeKept = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ path: Schema.String, output: Schema.Unknown }))
)

const keptOf = Effect.fnUntraced(function* (id: string, round: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* decodeKept(
    yield* sql`
      select path, output from step_results where execution_id = ${id} and path like ${`${round}-%`} order by path`
  )
})

// Control characters are what outputs are separated by.
const awkward = fc.string({
  unit: fc.constantFrom("\n", "\u001E", "\\", '"', "'", "a", "ä", "\t", "{", ",", "")
})
const outputs = fc.array(fc.option(fc.oneof(awkward, fc.integer(), fc.array(awkward))), { maxLength: 4 })

describe("writes of several executions in one statement", () => {
  it("keep the output of each step, where some have none", async () => {
    await store.runPromise(running)
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.tuple(outputs, outputs, outputs), async (wanted) => {
        round += 1
        const steps = wanted.map((ofOne) =>
          ofOne.map((output, index) => ({ path: `${round}-${index}`, output }))
        )
        await store.runPromise(write(steps))
        for (const [number, id] of ids.entries())
          assert.deepStrictEqual(await store.runPromise(keptOf(id, String(round))), steps[number])
      }),
      { numRuns: 50 }
    )
  })
})
