import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Schema } from "effect"
import * as fc from "../support/FastCheck.ts"
import { ExecutionWrites, type Write } from "../../src/engine/ExecutionWrites.ts"
import { jsonText } from "../../src/sql/Json.ts"
import { pdf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { useService } from "../support/TestService.ts"

const service = useService()

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

/** Executions that wait at a gate, so that nobody else writes about them. */
const waiting = async (count: number) => {
  const tenant = await service.it.tenant()
  const body = { input: { document: { base64: await pdf() }, variables: { gate: "closed" } } }
  const ids = await Promise.all(
    Array.from({ length: count }, async () =>
      textAt((await service.it.call("POST", "/flows/hold/run", { key: tenant.live, body })).body, "id")
    )
  )
  await Promise.all(ids.map((id) => service.it.awaitStatus(tenant.live, id, "running")))
  return ids
}

const Kept = Schema.Array(Schema.Struct({ path: Schema.String, output: Schema.Unknown }))

const keptOf = async (id: string, round: number) =>
  Schema.decodeUnknownSync(Kept)(
    await service.it.rows(
      `select path, output from step_results where execution_id = '${id}' and path like '${round}-%' order by path`
    )
  )

// Control characters are what outputs are separated by.
const awkward = fc.string({
  unit: fc.constantFrom("\n", "\u001E", "\\", '"', "'", "a", "ä", "\t", "{", ",", "")
})
const outputs = fc.array(fc.option(fc.oneof(awkward, fc.integer(), fc.array(awkward))), {
  minLength: 0,
  maxLength: 4
})

describe("writes of several executions in one statement", () => {
  it("keep the output of each step, where some have none", async () => {
    const ids = await waiting(3)
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.tuple(outputs, outputs, outputs), async (wanted) => {
        round += 1
        const steps = wanted.map((ofOne) =>
          ofOne.map((output, index) => ({ path: `${round}-${index}`, output }))
        )
        await service.it.run(
          Effect.gen(function* () {
            const writes = yield* ExecutionWrites
            const at = yield* DateTime.nowAsDate
            const offered = yield* Effect.forEach(ids, (id, number) =>
              Effect.forEach(steps[number] ?? [], ({ output, path }) =>
                writes.offer(id, at, recordOf(path, output === null ? undefined : jsonText(output)))
              )
            )
            for (const id of ids) yield* writes.hasten(id)
            yield* Effect.forEach(offered.flat(), Deferred.await)
          })
        )
        for (const [number, id] of ids.entries())
          assert.deepStrictEqual(await keptOf(id, round), steps[number])
      }),
      { numRuns: 50 }
    )
  })
})
