import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createServer, type Server } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import * as OutboundHttp from "../../../src/providers/outbound/OutboundHttp.ts"
import * as Deliverer from "../../../src/services/webhooks/Deliverer.ts"
import { Resolver } from "../../../src/providers/outbound/OutboundHttp.ts"
import { certificate } from "./Certificate.ts"
import { accept, receiver } from "./Receiver.ts"
import { attempts, awaitDelivery, endedExecution, layerIdle, untilDue } from "./Support.ts"

/** What the name server answers, one answer a question; the last one again and again. */
const answers: Array<ReadonlyArray<string>> = []
const asked: Array<string> = []
const changing = Layer.succeed(
  Resolver,
  Resolver.of({
    resolve: (name) =>
      Effect.sync(() => {
        asked.push(name)
        return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
      })
  })
)
const delivering = Deliverer.layer.pipe(
  Layer.provide(OutboundHttp.layerWithoutResolver),
  Layer.provide(changing),
  Layer.provideMerge(layerIdle)
)
const nameServer = (...next: ReadonlyArray<ReadonlyArray<string>>) => {
  answers.splice(0, answers.length, ...next)
  asked.length = 0
}

const secureReceiver = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly server: Server; readonly port: number; readonly names: Array<string> }>(
        (resolve) => {
          const names: Array<string> = []
          const server = createServer(certificate, (request, response) => {
            const name = "servername" in request.socket ? request.socket.servername : ""
            names.push(`${name} ${request.headers.host}`)
            response.writeHead(204).end()
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            resolve({
              server,
              names,
              port: typeof address === "object" && address !== null ? address.port : 0
            })
          })
        }
      )
  ),
  ({ server }) =>
    Effect.promise(
      () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections())
    )
)

layer(delivering)("a name whose addresses change", (it) => {
  it.effect("is looked up once for an attempt, and the checked address is the one connected to", () =>
    Effect.gen(function* () {
      const server = yield* receiver(accept)
      // A second look within the attempt would be told the address of the metadata service.
      nameServer(["127.0.0.1"], ["169.254.169.254"])
      const id = yield* endedExecution({ url: `http://rebind.test:${server.port}/hook` })
      expect((yield* awaitDelivery(id, attempts(1))).status).toBe("delivered")
      expect(asked).toEqual(["rebind.test"])
      expect(server.received[0]?.headers.host).toBe(`rebind.test:${server.port}`)
    })
  )

  it.effect("is checked again in the next attempt", () =>
    Effect.gen(function* () {
      const server = yield* receiver((response) => response.writeHead(500).end())
      nameServer(["127.0.0.1"], ["10.0.0.1"])
      const id = yield* endedExecution({ url: `http://rebind.test:${server.port}/hook` })
      yield* untilDue(yield* awaitDelivery(id, attempts(1)))
      expect((yield* awaitDelivery(id, attempts(2))).attempts[1]).toMatchObject({
        error: "rebind.test: 10.0.0.1 is not a public address (private)"
      })
      expect(server.received.length).toBe(1)
    })
  )

  it.effect.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback next to a public address", ["8.8.8.8", "127.0.0.1"]],
    ["IPv6 loopback", ["::1"]],
    ["mapped loopback", ["::ffff:127.0.0.1"]]
  ] as const)("is refused for a live key when it means %s", ([, addresses]) =>
    Effect.gen(function* () {
      const server = yield* receiver(accept)
      nameServer(addresses)
      const url = `https://public-looking.test:${server.port}/`
      const id = yield* endedExecution({ url, environment: "live" })
      const delivery = yield* awaitDelivery(id, attempts(1))
      expect(delivery.status).toBe("pending")
      expect(delivery.attempts[0]?.error).toContain("is not a public address")
      expect(server.sockets.size + server.received.length).toBe(0)
    })
  )

  it.effect("keeps its name for TLS and in Host, and its certificate is checked", () =>
    Effect.gen(function* () {
      const secure = yield* secureReceiver
      nameServer(["127.0.0.1"])
      const url = `https://receiver.test:${secure.port}/hook`
      const unknown = yield* awaitDelivery(yield* endedExecution({ url }), attempts(1))
      expect(unknown.attempts).toMatchObject([
        { error: "the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)" }
      ])
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const before = getCACertificates("default")
          setDefaultCACertificates([...before, certificate.cert])
          return before
        }),
        (before) => Effect.sync(() => setDefaultCACertificates(before))
      )
      const trusted = yield* awaitDelivery(yield* endedExecution({ url }), attempts(1))
      expect(trusted.attempts).toMatchObject([{ status: 204 }])
      expect(secure.names).toEqual([`receiver.test receiver.test:${secure.port}`])
      const otherName = yield* endedExecution({ url: `https://another.test:${secure.port}/` })
      expect((yield* awaitDelivery(otherName, attempts(1))).attempts).toMatchObject([
        { error: "the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)" }
      ])
    })
  )
})
