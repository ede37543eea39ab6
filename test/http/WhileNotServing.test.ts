import { assert, describe, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import * as HttpServerLayer from "../../src/http/HttpServerLayer.ts"

const ask = (address: string) =>
  Effect.promise(async () => {
    const response = await fetch(address, { signal: AbortSignal.timeout(60_000) })
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      hasRateHeaders: ["limit", "remaining", "reset"].every((name) =>
        /^\d+$/u.test(response.headers.get(`x-ratelimit-${name}`) ?? "")
      ),
      body: await response.text()
    }
  })

/** What a caller reads who looks for an answer only after a large body, as proxies do. */
const sendThenRead = (port: number) =>
  Effect.promise(async () => {
    const socket = connect(port, "127.0.0.1")
    const body = Buffer.alloc(20_000_000)
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.on("error", reject)
      socket.write(body, () => resolve())
    })
    return text(socket)
  })

const unavailable = {
  status: 503,
  retryAfter: "1",
  hasRateHeaders: true,
  body: '{"error":{"code":"SERVICE_UNAVAILABLE","message":"The service is starting or stopping; try again in a second"}}'
}

describe("a server that listens", () => {
  it.live("answers 503 in the envelope until somebody serves", () =>
    Effect.gen(function* () {
      const server = yield* HttpServer.HttpServer
      const address = HttpServer.formatAddress(server.address)
      assert.deepStrictEqual(yield* ask(address), unavailable)
      assert.match(yield* sendThenRead(Number(new URL(address).port)), /^HTTP\/1\.1 503 /u)

      const serving = yield* Scope.make()
      yield* Scope.provide(server.serve(Effect.succeed(HttpServerResponse.text("served"))), serving)
      assert.strictEqual((yield* ask(address)).body, "served")
    }).pipe(Effect.provide(HttpServerLayer.layer({ host: "127.0.0.1", port: 0 })), Effect.scoped)
  )
})
