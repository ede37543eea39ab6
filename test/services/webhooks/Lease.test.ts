import { expect, it, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Migrations from "../../../src/sql/Migrations.ts"
import * as Server from "../../../src/sql/Server.ts"
import * as OutboundHttp from "../../../src/providers/outbound/OutboundHttp.ts"
import * as Deliverer from "../../../src/services/webhooks/Deliverer.ts"
import { DeliveryQueue } from "../../../src/engine/journal/DeliveryQueue.ts"
import { DeliveryStore } from "../../../src/services/webhooks/DeliveryStore.ts"
import { startPostgres } from "../../durability/Postgres.ts"
import { accept, hang, receiver } from "./Receiver.ts"
import {
  attempts,
  awaitDelivery,
  deliveryOf,
  endedExecution,
  layerIdle,
  layerOver,
  until
} from "./Support.ts"

/** The time of these tests is not the database's. */
const migrated = (url: string) => Layer.provideMerge(Migrations.layer, Server.layer(Redacted.make(url)))

const room = {
  free: 10,
  reserve: 0,
  perHost: 10,
  perOrganization: 10,
  perPair: 10,
  inFlight: { hosts: {}, organizations: {}, pairs: {} }
}
const startDeliverer = Layer.build(Layer.fresh(Deliverer.layer.pipe(Layer.provide(OutboundHttp.layer))))

layer(layerIdle)("a lease", (it) => {
  it.effect("that a process took and died with runs out, and the attempt is made", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const queue = yield* DeliveryQueue
      const server = yield* receiver(accept)
      const id = yield* endedExecution({ url: server.url })
      // The process that dies: it claims and never comes back.
      const [claimed] = yield* store.claim(room)
      expect(claimed?.execution_id).toBe(id)
      yield* startDeliverer
      yield* TestClock.adjust("59 seconds")
      yield* queue.wake
      const other = yield* endedExecution({ url: server.url })
      yield* awaitDelivery(other, attempts(1))
      expect((yield* deliveryOf(id)).attempts).toEqual([])
      yield* TestClock.adjust("1 second")
      const delivery = yield* awaitDelivery(id, attempts(1))
      expect(delivery.status).toBe("delivered")
      expect(server.received.length).toBe(2)
      // The dead process was only slow after all: its result is logged and changes nothing.
      if (claimed !== undefined) {
        const result = { at: yield* DateTime.now, durationMs: 1, status: 500, error: "late" }
        yield* store.finish(claimed, result, { _tag: "Failed" })
      }
      expect(yield* deliveryOf(id)).toMatchObject({
        status: "delivered",
        attempts: [{ status: 204 }, { error: "late" }]
      })
    })
  )

  it.effect("that runs out while the deliverer looks for the next one is not left to the next poll", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const id = yield* endedExecution({ url: "http://127.0.0.1:1/" })
      const [claimed] = yield* store.claim(room)
      expect(claimed?.execution_id).toBe(id)
      const end = DateTime.add(yield* DateTime.now, { seconds: 60 })
      yield* TestClock.adjust("59 seconds")
      const lookedAt = yield* DateTime.now
      yield* TestClock.adjust("2 seconds")
      expect(yield* store.nextDue(lookedAt)).toEqual(Option.some(end))
      if (claimed !== undefined) {
        const result = { at: end, durationMs: 1, status: 410, error: undefined }
        yield* store.finish(claimed, result, { _tag: "Failed" })
      }
    })
  )

  it.effect("is handed back when the process stops", () =>
    Effect.gen(function* () {
      const server = yield* receiver(hang)
      const id = yield* endedExecution({ url: server.url })
      const scope = yield* Scope.make()
      yield* Scope.provide(startDeliverer, scope)
      yield* until(() => server.received.length === 1)
      yield* Scope.close(scope, Exit.void)
      expect(yield* deliveryOf(id)).toMatchObject({
        status: "pending",
        attempts: [{ error: "the process stopped" }]
      })
      server.become(accept)
      yield* startDeliverer
      expect((yield* awaitDelivery(id, attempts(2))).status).toBe("delivered")
    })
  )

  it.effect("on another receiver's webhook reads nothing of a backlog that has no free slot", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* DeliveryStore
      const dead = "http://dead.example/"
      const blocked = yield* endedExecution({ url: dead, organization: "org_dead" })
      yield* sql`insert into deliveries (execution_id, number, event, organization_id, host, next_attempt_at, created_at)
        select ${blocked}, 1 + n, 'execution.completed', 'org_dead', host_of(${dead}), now() - interval '90 years', now()
        from generate_series(1, 3000) as n`
      const id = yield* endedExecution({ url: "http://127.0.0.1:1/" })
      const rowsRead = Effect.gen(function* () {
        yield* sql`select pg_stat_force_next_flush()`
        const [row] = yield* sql<{ rows: number }>`
          select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_user_tables where relname = 'deliveries'`
        return row?.rows ?? 0
      })
      const before = yield* rowsRead
      const claimed = yield* store.claim({
        ...room,
        inFlight: { ...room.inFlight, pairs: { "org_dead dead.example": room.perPair } }
      })
      expect(claimed.map(({ execution_id }) => execution_id)).toEqual([id])
      expect((yield* rowsRead) - before).toBeLessThan(100)
      yield* sql`delete from deliveries where status = 'pending'`
    })
  )

  it.effect("is held by one of several deliverers over one database", () =>
    Effect.gen(function* () {
      const server = yield* receiver(accept)
      const ids = yield* Effect.forEach(Array.from({ length: 60 }), () => endedExecution({ url: server.url }))
      yield* Effect.all([startDeliverer, startDeliverer, startDeliverer], { concurrency: 3 })
      for (const id of ids) expect((yield* awaitDelivery(id, attempts(1))).attempts.length).toBe(1)
      const received = server.received.map(({ headers }) => headers["webhook-id"])
      expect(new Set(received).size).toBe(60)
      expect(received.length).toBe(60)
    })
  )
})

it.effect("two processes over one PostgreSQL send every delivery once", () =>
  Effect.gen(function* () {
    const postgres = yield* Effect.acquireRelease(
      Effect.promise(() => startPostgres()),
      (postgres) => Effect.promise(() => postgres.stop())
    )
    // Each process has connections, places and a queue of its own.
    const process = Layer.fresh(
      Deliverer.layer.pipe(
        Layer.provide(OutboundHttp.layer),
        Layer.provideMerge(layerOver(migrated(postgres.url)))
      )
    )
    const idle = yield* Layer.build(Layer.fresh(layerOver(migrated(postgres.url))))
    const server = yield* receiver(accept)
    const ids = yield* Effect.forEach(Array.from({ length: 200 }), () =>
      endedExecution({ url: server.url })
    ).pipe(Effect.provideContext(idle))
    yield* Effect.all([Layer.build(process), Layer.build(process)], { concurrency: 2 })
    for (const id of ids) yield* Effect.provideContext(awaitDelivery(id, attempts(1)), idle)
    const received = server.received.map(({ headers }) => headers["webhook-id"])
    expect(received.length).toBe(200)
    expect(new Set(received).size).toBe(200)
  }).pipe(Effect.scoped)
)
