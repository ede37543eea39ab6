import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { RecentAcceptances } from "../../src/engine/placement/RecentAcceptances.ts"
import { Signals } from "../../src/engine/signals/Signals.ts"
import { remainsOf, sweep } from "./Remains.ts"
import { lockTables } from "./Rows.ts"
import type { Tenant } from "./ServiceProcess.ts"
import type { TwoNodes } from "./TwoNodes.ts"
import { until } from "../support/Until.ts"

/** How often the model was asked about a document. */
const timesAsked = ({ models }: TwoNodes, document: string): number =>
  models.asked.filter((asked) => JSON.stringify(asked).includes(document)).length

/** Runs a flow whose step keeps its output until the model was asked so often; the executions. */
const runUntilAsked = async (two: TwoNodes, tenant: Tenant, document: string, times: number) => {
  const ids: Array<string> = []
  while (timesAsked(two, document) < times) {
    const { body } = await two.run(ids.length, tenant, "remembering", document, { wait: true })
    assert.strictEqual(body.status, "completed")
    ids.push(body.id)
  }
  return ids
}

const acceptance = {
  blob: "",
  hasExamples: false,
  bytes: new Uint8Array(1)
} as const

/** Makes a third process of this one, as far as it keeps what it accepted. */
const asThird = <A>(two: TwoNodes, use: (kept: RecentAcceptances["Service"]) => Promise<A>): Promise<A> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const kept = yield* RecentAcceptances
      kept.keep("before it listened", acceptance)
      yield* Layer.build(
        Signals.layerShared.pipe(
          Layer.provide(Layer.succeed(RecentAcceptances, kept)),
          Layer.provide(PgClient.layer({ url: Redacted.make(two.database) }))
        )
      )
      // What happened before it listened is unknown to it: it forgets everything once.
      yield* Effect.promise(() =>
        until(
          "the third to listen",
          async () => kept.findDocument("before it listened", "") === undefined || undefined
        )
      )
      return yield* Effect.promise(() => use(kept))
    }).pipe(Effect.scoped, Effect.provide(RecentAcceptances.layer))
  )

/** Tests that what is erased or has expired is found in no file, no table and no cache of either node. */
export const forgottenByNodes = (two: { readonly it: TwoNodes }) =>
  describe("what two nodes must forget", () => {
    it("is gone from files, tables and the step caches of both after an erasure", async () => {
      const mark = "ERASED-BY-TWO-NODES"
      const tenant = await two.it.node(0).makeOrganization()
      // Each node asks once, whichever of them runs an execution, and remembers the answer from then on.
      const ids = await runUntilAsked(two.it, tenant, mark, 2)
      for (const index of [0, 1, 2, 3]) {
        const again = await two.it.run(index, tenant, "remembering", mark, { wait: true })
        ids.push(again.body.id)
      }
      assert.strictEqual(timesAsked(two.it, mark), 2)
      assert.includeMembers([...(await remainsOf(two.it, mark))], ["step_results"])

      const erase = async (all: ReadonlyArray<string>) => {
        for (const [index, id] of all.entries()) {
          const { status } = await two.it.node(index).call("DELETE", `/api/admin/v1/executions/${id}`)
          assert.strictEqual(status, 200)
        }
      }
      await erase(ids)
      assert.deepStrictEqual(await remainsOf(two.it, mark), [])
      // Both have to ask again: neither kept the output.
      await erase(await runUntilAsked(two.it, tenant, mark, 4))
      assert.deepStrictEqual(await remainsOf(two.it, mark), [])
    })

    it("is gone from the memory of the process that accepted it, whoever ends or erases the execution", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      const release = two.it.holdModel()
      const { body } = await two.it.run(0, tenant, "asking", "A debt.\n")
      await asThird(two.it, async (kept) => {
        const gone = async () => kept.findDocument(body.id, "") === undefined || undefined
        kept.keep(body.id, acceptance)
        kept.keep("another", acceptance)
        await two.it.node(1).call("POST", `/api/v1/runs/${body.id}/cancel`, { key: tenant.key })
        await until("the cancelled execution to be forgotten", gone)
        kept.keep(body.id, acceptance)
        await two.it.node(1).call("DELETE", `/api/admin/v1/executions/${body.id}`)
        await until("the erased execution to be forgotten", gone)
        assert.isDefined(kept.findDocument("another", ""))
      })
      release()
    })

    it("is gone from files and tables when it has expired, whoever sweeps", async () => {
      const mark = "EXPIRED-ON-TWO-NODES"
      const tenant = await two.it
        .node(0)
        .makeOrganization({ documentRetentionHours: 0, outputRetentionDays: 0 })
      const release = two.it.holdModel()
      const made = await Promise.all(
        [0, 1, 2, 3].map((index) => two.it.run(index, tenant, "asking", `${mark} ${index}`))
      )
      assert.isNotEmpty(await remainsOf(two.it, mark))
      release()
      for (const [index, { body }] of made.entries()) {
        await until(`${body.id} to end`, async () => {
          const path = `/api/v1/runs/${body.id}?wait=true`
          const answer = await two.it.node(index).call("GET", path, { key: tenant.key })
          return answer.body.status === "completed" || undefined
        })
      }
      // A node that sweeps at the same moment has taken what this sweep then passes over.
      await until("the expired documents to be gone", async () => {
        await sweep(two.it)
        return (await remainsOf(two.it, mark)).length === 0 || undefined
      })

      // Whoever accepts or ends runs holds locks on organizations: executions are removed without waiting for them.
      const ids = made.map(({ body }) => `'${body.id}'`).join(", ")
      const unlock = await lockTables(two.it.database, "organizations", "exclusive")
      const sweeping = sweep(two.it, 1, 0)
      await until("the executions to be removed", async () => {
        const left = await two.it.rows(`select 1 from executions where id in (${ids})`)
        return left.length === 0 || undefined
      })
      await unlock()
      await sweeping
    })
  })
