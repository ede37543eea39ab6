import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { Effect, Exit, Layer, Option } from "effect"
import { hash } from "node:crypto"
import { Blobs } from "../../src/providers/blobs/Blobs.ts"
import { outageOf } from "../../src/sql/Outage.ts"
import * as S3Blobs from "../../src/providers/blobs/S3Blobs.ts"
import { credentials, type Fault, type S3Server, startS3Server } from "../support/S3Server.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe("blobs in an S3-compatible store", () => {
  let server: S3Server
  beforeAll(async () => {
    for (const [name, value] of Object.entries(credentials)) vi.stubEnv(name, value)
    server = await startS3Server()
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await server.close()
  })

  const using = <A, E>(use: (blobs: Blobs["Service"]) => Effect.Effect<A, E>, bucket = "documents") =>
    Effect.flatMap(Blobs, use).pipe(
      Effect.provide(
        Layer.fresh(S3Blobs.layer({ bucket, prefix: "docflow/", region: "us-east-1", endpoint: server.url }))
      )
    )
  /** Gives the first requests of a method these faults. */
  const faults = (method: string, ...all: ReadonlyArray<Fault>) => {
    const left = [...all]
    server.become((request) => (request.method === method ? left.shift() : undefined))
  }

  it.live("are stored, found, listed by their first digits, read and removed", () =>
    using((blobs) =>
      Effect.gen(function* () {
        const names = yield* Effect.forEach(["one", "two", "two"], (text) => blobs.put(bytesOf(text)))
        const [one = "", two = ""] = names
        assert.deepStrictEqual(names, [one, two, two])
        assert.deepStrictEqual(yield* blobs.get(two), bytesOf("two"))
        assert.deepStrictEqual(yield* blobs.list(one.slice(0, 2)), [one])
        yield* blobs.remove(one)
        assert.deepStrictEqual([yield* blobs.has(one), yield* blobs.has(two)], [false, true])
        assert.strictEqual((yield* Effect.flip(blobs.get(one)))._tag, "BlobMissing")
        assert.strictEqual((yield* Effect.flip(blobs.get("../secret")))._tag, "BlobMissing")
        yield* blobs.remove(one)
      })
    )
  )

  it.live("are sent in parts if they are large", () =>
    using((blobs) =>
      Effect.gen(function* () {
        const bytes = new Uint8Array(17 * 1024 * 1024).map((_, index) => index % 251)
        const name = yield* blobs.put(bytes)
        assert.strictEqual(name, hash("sha256", bytes))
        assert.lengthOf(
          server.asked.filter((line) => line.startsWith("PUT") && line.includes("partNumber=")),
          3
        )
        assert.strictEqual(hash("sha256", yield* blobs.get(name)), name)
      })
    )
  )

  it.live("are stored in spite of a store that is busy or closes connections", () =>
    using((blobs) =>
      Effect.gen(function* () {
        faults("PUT", "slow down", "reset")
        const name = yield* blobs.put(bytesOf("in spite of it"))
        faults("GET", "reset", "slow down")
        assert.deepStrictEqual(yield* blobs.get(name), bytesOf("in spite of it"))
      })
    )
  )

  it.live("fail with the code of the error if the store does not answer", () =>
    using((blobs) =>
      Effect.gen(function* () {
        server.become(() => "reset")
        const failure = yield* Effect.flip(blobs.put(bytesOf("never stored")))
        server.become(() => undefined)
        assert.strictEqual(failure._tag, "BlobStoreFailure")
        assert.deepStrictEqual(outageOf(failure), { what: "document store", code: "ECONNRESET" })
      })
    )
  )

  it.live("fail in time if the store is silent, or sends a byte now and then", () =>
    using((blobs) =>
      Effect.gen(function* () {
        const name = yield* blobs.put(bytesOf("slow"))
        server.become(({ method }) => (method === "GET" ? "drip" : "silent"))
        const asked: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          blobs.get(name),
          blobs.has(name),
          blobs.put(bytesOf("never")),
          blobs.list("00")
        ]
        const failures = yield* Effect.forEach(
          asked,
          (one) => Effect.timeoutOption(Effect.flip(one), "15 seconds"),
          { concurrency: "unbounded" }
        )
        server.become(() => undefined)
        for (const failure of failures) {
          assert.deepStrictEqual(outageOf(Option.getOrUndefined(failure)), {
            what: "document store",
            code: "ETIMEDOUT"
          })
        }
      })
    )
  )

  it.live("are never read if they are damaged, and read again if they were damaged on their way", () =>
    using((blobs) =>
      Effect.gen(function* () {
        const name = yield* blobs.put(bytesOf("whole"))
        faults("GET", "damage")
        assert.deepStrictEqual(yield* blobs.get(name), bytesOf("whole"))
        faults("GET", "damage", "damage")
        assert.strictEqual((yield* Effect.flip(blobs.get(name)))._tag, "BlobDamaged")
      })
    )
  )

  it.live("refuse to start with a bucket that is not there, and say what to check", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(using((blobs) => blobs.list("00"), "no-such-bucket"))
      assert.isTrue(Exit.isFailure(exit))
      assert.include(
        String(exit),
        "The bucket no-such-bucket of DOCFLOW_S3_BUCKET cannot be used (NoSuchBucket)"
      )
    })
  )
})
