import { assert, describe, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
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

      const serving = yield* Scope.make()
      yield* Scope.provide(server.serve(Effect.succeed(HttpServerResponse.text("served"))), serving)
      assert.strictEqual((yield* ask(address)).body, "served")
    }).pipe(Effect.provide(HttpServerLayer.layer({ host: "127.0.0.1", port: 0 })), Effect.scoped)
  )
})
