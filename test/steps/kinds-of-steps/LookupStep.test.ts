import { expect, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Duration, Effect, Fiber, Layer, Schema } from "effect"
import { failureCode, type StepContext } from "../../../dsl/model/StepKind.ts"
import * as OutboundHttp from "../../../src/providers/outbound/OutboundHttp.ts"
import { Resolver } from "../../../src/providers/outbound/OutboundHttp.ts"
import { lookup } from "../../../src/steps/Lookup.ts"
import { LookupConfig } from "../../../src/steps/lookup/LookupConfig.ts"
import { type Behaviour, receiver, hang } from "../../services/webhooks/Receiver.ts"

/** What the name server answers, one answer a question; the last one again and again. */
const answers: Array<ReadonlyArray<string>> = []
const resolver = Layer.succeed(
  Resolver,
  Resolver.of({ resolve: () => Effect.sync(() => (answers.length > 1 ? answers.shift() : answers[0]) ?? []) })
)
const nameServer = (...next: ReadonlyArray<ReadonlyArray<string>>) => {
  answers.splice(0, answers.length, ...next)
}
const secret = "s3cret-of-the-crm"
const env = {
  DOCFLOW_SECRET_CRM: secret,
  DOCFLOW_HOSTS_CRM: "crm.example.com, 127.0.0.1",
  DOCFLOW_SECRET_SPLIT: "a\r\nHost: b",
  DOCFLOW_HOSTS_SPLIT: "127.0.0.1",
  DOCFLOW_SECRET_ELSEWHERE: secret,
  DOCFLOW_HOSTS_ELSEWHERE: "*.example.com, 127.0.0.2",
  DOCFLOW_SECRET_UNBOUND: secret
}
const outbound = OutboundHttp.layerWithoutResolver.pipe(
  Layer.provide(resolver),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
)

const context: StepContext = {
  executionId: "exec_1",
  path: "outer.0.ask",
  environment: "test",
  progress: () => Effect.void
}

const ask = Effect.fnUntraced(function* (config: unknown, own: Partial<StepContext> = {}) {
  const decoded = yield* Effect.orDie(Schema.decodeUnknownEffect(LookupConfig)(config))
  return yield* lookup.run(decoded, { ...context, ...own })
})
/** The code and message with which a lookup fails. */
const failureOf = (config: unknown, own: Partial<StepContext> = {}) =>
  Effect.map(Effect.flip(ask(config, own)), (failure) => ({
    code: failureCode(lookup, failure),
    message: failure.message
  }))

const json =
  (body: unknown, status = 200): Behaviour =>
  (response) =>
    void response
      .writeHead(status, { "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(body))

layer(outbound, { excludeTestServices: true })("lookup", (it) => {
  it.effect("asks with escaped values and gives the answer", () =>
    Effect.gen(function* () {
      const server = yield* receiver(json({ name: "ACME" }))
      nameServer(["127.0.0.1"])
      const output = yield* ask({
        url: `http://crm.test:${server.port}/companies/{id}/name`,
        path: { id: "a/../b?x#y é" },
        query: { lang: "d&e", none: null, page: 2 }
      })
      expect(output).toEqual({ status: 200, body: { name: "ACME" } })
      const [request] = server.received
      expect(request?.url).toBe("/companies/a%2F..%2Fb%3Fx%23y%20%C3%A9/name?lang=d%26e&page=2")
      expect(request?.method).toBe("GET")
      expect(request?.headers["idempotency-key"]).toBeUndefined()
    })
  )

  it.effect("posts JSON under a key that stays the same", () =>
    Effect.gen(function* () {
      const server = yield* receiver(json([1, 2]))
      const config = { url: `http://127.0.0.1:${server.port}/`, method: "POST", body: { q: [null, "ü"] } }
      yield* ask(config)
      yield* ask(config)
      for (const { body, headers, method } of server.received) {
        expect(method).toBe("POST")
        expect(JSON.parse(body.toString())).toEqual({ q: [null, "ü"] })
        expect(headers).toMatchObject({
          "content-type": "application/json",
          "idempotency-key": "exec_1/outer.0.ask"
        })
      }
      expect(server.received).toHaveLength(2)
    })
  )

  it.effect("sends a secret, which is in no output and no message", () =>
    Effect.gen(function* () {
      const server = yield* receiver(json({}))
      const url = `http://127.0.0.1:${server.port}/`
      const headers = { Authorization: { secret: "CRM", prefix: "Bearer " } }
      const output = yield* ask({ url, headers })
      expect(server.received[0]?.headers.authorization).toBe(`Bearer ${secret}`)
      server.become(json({}, 500))
      const failure = yield* failureOf({ url, headers })
      expect(JSON.stringify([output, failure])).not.toContain(secret)
      expect(yield* failureOf({ url, headers: { Authorization: { secret: "OTHER" } } })).toEqual({
        code: "EXECUTION_FAILED",
        message: `The request to http://127.0.0.1:${server.port} was not sent: DOCFLOW_SECRET_OTHER is not set.`
      })
      expect((yield* failureOf({ url, headers: { A: { secret: "SPLIT" } } })).message).toContain(
        "DOCFLOW_SECRET_SPLIT is not allowed in a header"
      )
      expect(server.received).toHaveLength(2)
    })
  )

  it.effect("sends a secret only to the hosts that the operator lists for it", () =>
    Effect.gen(function* () {
      const server = yield* receiver(json({}))
      const url = `http://127.0.0.1:${server.port}/`
      const unbound = yield* failureOf({ url, headers: { A: { secret: "UNBOUND" } } })
      expect(unbound.message).toContain("set DOCFLOW_HOSTS_UNBOUND to the hosts that may receive it")
      const elsewhere = yield* failureOf({ url, headers: { A: { secret: "ELSEWHERE" } } })
      expect(elsewhere.message).toContain("the secret ELSEWHERE may not be sent to 127.0.0.1")
      expect(server.received).toHaveLength(0)
    })
  )

  it.effect("judges the answer by what is expected, and says where it differs, not what is there", () =>
    Effect.gen(function* () {
      const expectation = {
        type: "object",
        required: ["vat"],
        properties: {
          vat: { type: "string", pattern: "^[A-Z]{2}" },
          since: { type: "string", format: "date" }
        },
        additionalProperties: { type: "array", items: { type: "number" } }
      }
      const server = yield* receiver(json({ vat: "DE1", since: "2020-01-31" }))
      const config = { url: `http://127.0.0.1:${server.port}/`, expect: expectation }
      expect((yield* ask(config)).body).toEqual({ vat: "DE1", since: "2020-01-31" })
      for (const wrong of [
        { vat: "private-text" },
        {},
        [],
        { vat: "DE1", since: "private-text" },
        { vat: "DE1", "private-text": [1, "2"] }
      ]) {
        server.become(json(wrong))
        const failure = yield* failureOf(config)
        expect(failure.code).toBe("PROVIDER_ERROR")
        expect(failure.message).toContain("returned an answer that does not match `expect`")
        expect(failure.message).not.toContain("private-text")
      }
    })
  )

  it.effect("gives text, nothing, and null for what is not found where the flow says so", () =>
    Effect.gen(function* () {
      const server = yield* receiver((response) =>
        response.writeHead(200, { "Content-Type": "text/plain" }).end("yes")
      )
      const url = `http://127.0.0.1:${server.port}/`
      expect(yield* ask({ url })).toEqual({ status: 200, body: "yes" })
      server.become((response) => response.writeHead(204).end())
      expect(yield* ask({ url })).toEqual({ status: 204, body: null })
      server.become((response) => response.writeHead(404).end("no"))
      expect(yield* ask({ url, notFound: "null" })).toEqual({ status: 404, body: null })
      expect(yield* failureOf({ url })).toMatchObject({
        code: "PROVIDER_ERROR",
        message: expect.stringContaining("answered with the status 404")
      })
    })
  )

  it.effect.each<readonly [string, Behaviour, string]>([
    ["a failing server", json({}, 503), "answered with the status 503"],
    [
      "a redirect to a private address",
      (response) => response.writeHead(302, { Location: "http://169.254.169.254/latest" }).end(),
      "redirects are not followed"
    ],
    [
      "a huge answer",
      (response) => {
        response.writeHead(200, { "Content-Type": "text/plain" })
        const more = () => {
          while (response.write("x".repeat(65_536)));
          response.once("drain", more)
        }
        more()
      },
      "more than 1 MB"
    ],
    [
      "an answer that breaks off",
      (response) => {
        response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" })
        response.write("{", () => response.socket?.destroy())
      },
      "broke off its answer"
    ],
    ["a connection that breaks", (response) => response.socket?.destroy(), "did not answer"],
    [
      "JSON that is none",
      (response) => response.writeHead(200, { "Content-Type": "application/json" }).end("{"),
      "JSON that cannot be read"
    ],
    [
      "JSON nested without end",
      (response) => response.writeHead(200, { "Content-Type": "application/json" }).end("[".repeat(100_000)),
      "nested too deeply"
    ],
    [
      "a picture",
      (response) => response.writeHead(200, { "Content-Type": "image/png" }).end("x"),
      "neither JSON nor text"
    ]
  ])("fails as a provider does with %s", ([, behaviour, message]) =>
    Effect.gen(function* () {
      const server = yield* receiver(behaviour)
      const failure = yield* failureOf({ url: `http://127.0.0.1:${server.port}/` })
      expect(failure).toEqual({ code: "PROVIDER_ERROR", message: expect.stringContaining(message) })
      expect(server.received).toHaveLength(1)
    })
  )

  it.effect("fails as a provider does when the answer is slow, in its head or in its body", () =>
    Effect.gen(function* () {
      const server = yield* receiver(hang)
      const config = { url: `http://127.0.0.1:${server.port}/`, timeout: "150ms" }
      expect((yield* failureOf(config)).message).toContain("did not answer within 150ms")
      server.become((response) => {
        response.writeHead(200, { "Content-Type": "text/plain" }).write("a")
      })
      expect((yield* failureOf(config)).message).toContain("did not answer within 150ms")
    }).pipe(Effect.scoped)
  )

  it.effect("closes the connection when it is interrupted", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const server = yield* receiver((_response, _count, request) => {
        request.socket.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
        Deferred.doneUnsafe(arrived, Effect.void)
      })
      const fiber = yield* Effect.forkChild(ask({ url: `http://127.0.0.1:${server.port}/` }))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Effect.timeout(Deferred.await(closed), Duration.seconds(5))
    }).pipe(Effect.scoped)
  )

  it.effect("asks nobody at an address that is not allowed, whatever the name server says", () =>
    Effect.gen(function* () {
      const server = yield* receiver(json({}))
      const live = { environment: "live" } as const
      nameServer(["10.1.2.3"])
      expect(yield* failureOf({ url: "https://crm.example/" }, live)).toEqual({
        code: "EXECUTION_FAILED",
        message:
          "The request to https://crm.example was not sent: crm.example: 10.1.2.3 is not a public address (private)."
      })
      for (const url of [`http://127.0.0.1:${server.port}/`, "https://127.0.0.1/", "https://localhost/"])
        expect((yield* failureOf({ url }, live)).code).toBe("EXECUTION_FAILED")
      expect((yield* failureOf({ url: "https://169.254.169.254/" })).code).toBe("EXECUTION_FAILED")
      nameServer(["8.8.8.8", "127.0.0.1"])
      expect((yield* failureOf({ url: `https://crm.example:${server.port}/` }, live)).message).toContain(
        "loopback"
      )
      expect(server.sockets.size + server.received.length).toBe(0)
    })
  )

  it.effect("connects to the address that was checked, not to what the name means a moment later", () =>
    Effect.gen(function* () {
      const server = yield* receiver(json({ ok: true }))
      nameServer(["127.0.0.1"], ["169.254.169.254"])
      expect((yield* ask({ url: `http://rebind.test:${server.port}/` })).body).toEqual({ ok: true })
      const again = yield* failureOf({ url: `http://rebind.test:${server.port}/` })
      expect(again.message).toContain("169.254.169.254 is not a public address")
    })
  )

  it.effect.each([
    ["nothing", ""],
    ["dots", ".."],
    ["more than an address can hold", "x".repeat(9_000)]
  ])("puts no value into the path that is %s", ([, id]) =>
    Effect.gen(function* () {
      const failure = yield* failureOf({ url: "https://crm.example/companies/{id}", path: { id } })
      expect(failure.code).toBe("EXECUTION_FAILED")
    })
  )
})
