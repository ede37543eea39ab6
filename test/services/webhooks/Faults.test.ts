import { expect, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { Webhooks } from "../../../src/services/webhooks/Webhooks.ts"
import { accept, hang, receiver } from "./Receiver.ts"
import {
  attempts,
  awaitDelivery,
  deliveryOf,
  endedExecution,
  layer as delivering,
  until,
  untilDue
} from "./Support.ts"

const ended = attempts(1)
const second = attempts(2)

layer(delivering)("receivers with faults", (it) => {
  it.effect("that answer 500 twice get a third attempt", () =>
    Effect.gen(function* () {
      const server = yield* receiver((response, count) => response.writeHead(count < 3 ? 500 : 200).end("ok"))
      const id = yield* endedExecution({ url: server.url })
      yield* untilDue(yield* awaitDelivery(id, ended))
      yield* untilDue(yield* awaitDelivery(id, second))
      const delivery = yield* awaitDelivery(id, attempts(3))
      expect(delivery.status).toBe("delivered")
      expect(delivery.attempts).toMatchObject([
        { status: 500, error: "the receiver answered 500" },
        { status: 500, error: "the receiver answered 500" },
        { status: 200 }
      ])
      expect(delivery.attempts[2]).not.toHaveProperty("error")
    })
  )

  it.effect("that answer 410 are not asked again", () =>
    Effect.gen(function* () {
      const server = yield* receiver((response) => response.writeHead(410).end())
      const id = yield* endedExecution({ url: server.url })
      const delivery = yield* awaitDelivery(id, ended)
      expect(delivery).toMatchObject({ status: "failed", nextAttemptAt: null, attempts: [{ status: 410 }] })
    })
  )

  it.effect("that name a time with Retry-After are not asked before it", () =>
    Effect.gen(function* () {
      const server = yield* receiver((response) => response.writeHead(429, { "Retry-After": "1000" }).end())
      const id = yield* endedExecution({ url: server.url })
      const delivery = yield* awaitDelivery(id, ended)
      const wait = Date.parse(delivery.nextAttemptAt ?? "") - Date.parse(delivery.attempts[0]?.at ?? "")
      expect(wait).toBeGreaterThanOrEqual(1_000_000)
    })
  )

  it.effect("that never answer are given up after 15 seconds", () =>
    Effect.gen(function* () {
      const server = yield* receiver(hang)
      const id = yield* endedExecution({ url: server.url })
      yield* until(() => server.received.length === 1)
      yield* TestClock.adjust("15 seconds")
      const delivery = yield* awaitDelivery(id, ended)
      expect(delivery).toMatchObject({
        status: "pending",
        attempts: [{ error: "no answer within 15s", durationMs: 15_000 }]
      })
      yield* until(() => server.sockets.size === 0)
    })
  )

  it.effect("that redirect are not followed", () =>
    Effect.gen(function* () {
      const inside = yield* receiver(accept)
      const server = yield* receiver((response) => response.writeHead(307, { Location: inside.url }).end())
      const id = yield* endedExecution({ url: server.url })
      const delivery = yield* awaitDelivery(id, ended)
      expect(delivery).toMatchObject({
        status: "pending",
        attempts: [{ status: 307, error: "redirects are not followed" }]
      })
      expect(inside.received).toEqual([])
    })
  )

  it.effect("whose answer never ends are cut off after 64 KB", () =>
    Effect.gen(function* () {
      let sent = 0
      const server = yield* receiver((response) => {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(16_384))) sent += 16_384
        }
        response.on("drain", more)
        more()
      })
      const id = yield* endedExecution({ url: server.url })
      const delivery = yield* awaitDelivery(id, ended)
      expect(delivery).toMatchObject({ status: "delivered", attempts: [{ status: 200 }] })
      yield* until(() => server.sockets.size === 0)
      expect(sent).toBeGreaterThan(64 * 1024)
    })
  )

  it.effect("whose answer comes byte by byte are cut off when the attempt's time is over", () =>
    Effect.gen(function* () {
      let sent = 0
      const server = yield* receiver((response) => {
        response.writeHead(200)
        const timer = setInterval(() => {
          response.write(".")
          sent++
        }, 20)
        response.on("close", () => clearInterval(timer))
      })
      const id = yield* endedExecution({ url: server.url })
      yield* until(() => server.received.length === 1)
      // The head of the answer must have arrived before the time is over: so many turns of the event loop later it has.
      yield* until(() => sent === 40)
      expect((yield* deliveryOf(id)).attempts).toEqual([])
      yield* TestClock.adjust("15 seconds")
      const delivery = yield* awaitDelivery(id, ended)
      expect(delivery).toMatchObject({ status: "delivered", attempts: [{ status: 200, durationMs: 15_000 }] })
      yield* until(() => server.sockets.size === 0)
    })
  )

  it.effect("that drop the connection, or send headers without end, are tried again", () =>
    Effect.gen(function* () {
      const dropping = yield* receiver((response) => void response.socket?.destroy())
      const shouting = yield* receiver((response) => {
        response.socket?.write(
          `HTTP/1.1 200 OK\r\n${"X-Shout: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(2_000)}`
        )
      })
      const first = yield* awaitDelivery(yield* endedExecution({ url: dropping.url }), ended)
      expect(first).toMatchObject({
        status: "pending",
        attempts: [{ error: "the connection failed (ECONNRESET)" }]
      })
      const other = yield* awaitDelivery(yield* endedExecution({ url: shouting.url }), ended)
      expect(other).toMatchObject({
        status: "pending",
        attempts: [{ error: "the connection failed (HPE_HEADER_OVERFLOW)" }]
      })
    })
  )

  it.effect("that hang delay nobody else", () =>
    Effect.gen(function* () {
      const hanging = yield* receiver(hang)
      const healthy = yield* receiver(accept)
      // The clock does not move: no attempt on the hanging receiver ever ends.
      yield* Effect.forEach(Array.from({ length: 30 }), () => endedExecution({ url: hanging.url }))
      const id = yield* endedExecution({ url: healthy.url })
      const delivery = yield* awaitDelivery(id, ended)
      expect(delivery.status).toBe("delivered")
      expect(hanging.received.length).toBeLessThanOrEqual(8)
    })
  )

  it.effect("that hang for other organizations delay nobody on the same host", () =>
    Effect.gen(function* () {
      const server = yield* receiver((response, _, { url }) => {
        if (url !== "/hanging") response.writeHead(204).end()
      })
      const at = (path: string) => `http://127.0.0.1:${server.port}${path}`
      yield* Effect.forEach(Array.from({ length: 75 }), (_, index) =>
        endedExecution({ url: at("/hanging"), organization: `org_hanging_${index % 6}` })
      )
      const id = yield* endedExecution({ url: at("/hook"), organization: "org_same_host" })
      expect((yield* awaitDelivery(id, ended)).status).toBe("delivered")
    })
  )

  it.effect("under hundreds of names of one organization delay no other organization", () =>
    Effect.gen(function* () {
      const hanging = yield* receiver(hang)
      const healthy = yield* receiver(accept)
      yield* Effect.forEach(Array.from({ length: 150 }), (_, index) =>
        endedExecution({ url: `http://n${index}.localhost:${hanging.port}/`, organization: "org_greedy" })
      )
      const id = yield* endedExecution({ url: healthy.url, organization: "org_modest" })
      expect(yield* awaitDelivery(id, ended)).toMatchObject({
        status: "delivered",
        attempts: [{ status: 204 }]
      })
      yield* until(() => hanging.received.length === 48)
    })
  )
})

layer(delivering)("receivers that hang", (it) => {
  it.effect("of many organizations delay no other organization", () =>
    Effect.gen(function* () {
      const hanging = yield* receiver(hang)
      const healthy = yield* receiver(accept)
      yield* Effect.forEach(Array.from({ length: 160 }), (_, index) =>
        endedExecution({
          url: `http://n${index}.localhost:${hanging.port}/`,
          organization: `org_many_${index % 4}`
        })
      )
      const id = yield* endedExecution({ url: healthy.url, organization: "org_patient" })
      expect((yield* awaitDelivery(id, ended)).status).toBe("delivered")
    })
  )
})

layer(delivering)("redelivery", (it) => {
  it.effect("makes a fresh attempt at once, after delivery and after failure, with the same id", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const server = yield* receiver((response, count) => response.writeHead(count === 2 ? 410 : 204).end())
      const id = yield* endedExecution({ url: server.url })
      const delivered = yield* awaitDelivery(id, ended)
      yield* TestClock.adjust("1 minute")
      expect((yield* webhooks.redeliver(delivered.id)).status).toBe("pending")
      expect((yield* awaitDelivery(id, second)).status).toBe("failed")
      yield* webhooks.redeliver(delivered.id)
      const again = yield* awaitDelivery(id, attempts(3))
      expect(again).toMatchObject({
        status: "delivered",
        attempts: [{ status: 204 }, { status: 410 }, { status: 204 }]
      })
      expect(server.received.map(({ headers }) => headers["webhook-id"])).toEqual(Array(3).fill(delivered.id))
      expect(server.received[1]?.headers["webhook-timestamp"]).not.toBe(
        server.received[0]?.headers["webhook-timestamp"]
      )
    })
  )

  it.effect("does not wait for an attempt that hangs, whose end is only logged", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const server = yield* receiver((response, count) =>
        count === 1 ? undefined : accept(response, count, response.req)
      )
      const id = yield* endedExecution({ url: server.url })
      yield* until(() => server.received.length === 1)
      yield* webhooks.redeliver((yield* deliveryOf(id)).id)
      expect((yield* awaitDelivery(id, ended)).status).toBe("delivered")
      yield* TestClock.adjust("15 seconds")
      const logged = yield* awaitDelivery(id, second)
      expect(logged.status).toBe("delivered")
      expect(logged.attempts.map(({ status }) => status)).toEqual([204, undefined])
    })
  )

  it.effect("of an unknown delivery fails", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      expect(yield* Effect.flip(webhooks.redeliver("dlv_unknown"))).toMatchObject({
        _tag: "DeliveryNotFound"
      })
    })
  )

  it.effect("of an erased execution sends nothing", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const sql = yield* SqlClient.SqlClient
      const server = yield* receiver(accept)
      const id = yield* endedExecution({ url: server.url })
      const { id: delivery } = yield* awaitDelivery(id, ended)
      yield* sql`update executions set erased_at = ${yield* DateTime.nowAsDate} where id = ${id}`
      yield* webhooks.redeliver(delivery)
      expect(yield* awaitDelivery(id, second)).toMatchObject({
        status: "failed",
        attempts: [{ status: 204 }, { error: "the execution was erased" }]
      })
      expect(server.received.length).toBe(1)
    })
  )
})
