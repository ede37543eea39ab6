import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeReaderPool, type Opened } from "../../src/document/process/ReaderPool.ts"
import { ask, programOf } from "../../src/document/process/ReaderProcess.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { manyPages } from "../fixtures/Pdfs.ts"

const options = { processes: 2, memoryMiB: 512, maxPages: 3, pageLimit: 20_000 }
const asOpened = (_: unknown, opened: Opened) => Effect.succeed(opened)

describe("a document in a reader", () => {
  it.live("is opened once for all who have the same bytes, and again for a copy of them", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() => manyPages(2))
      const pool = yield* makeReaderPool(options)
      const first = yield* pool.use({ bytes, mimeType: undefined }, asOpened)
      const again = yield* pool.use({ bytes, mimeType: "application/pdf" }, asOpened)
      const copy = yield* pool.use({ bytes: bytes.slice(), mimeType: undefined }, asOpened)
      assert.strictEqual(again, first)
      assert.notStrictEqual(copy, first)
    }).pipe(Effect.scoped, Effect.provide([Sandbox.layer, NodeServices.layer]))
  )

  it.live.skipIf(process.platform !== "linux")(
    "is not refused because the machine is too busy to work on it",
    () =>
      Effect.gen(function* () {
        const bytes = yield* Effect.promise(() => manyPages(1))
        const pool = yield* makeReaderPool(options)
        const answer = yield* pool.use({ bytes, mimeType: undefined }, (reader) =>
          Effect.gen(function* () {
            const program = programOf(reader.process.pid ?? 0)
            process.kill(program, "SIGSTOP")
            yield* Effect.forkChild(
              Effect.andThen(
                Effect.sleep(1_000),
                Effect.sync(() => process.kill(program, "SIGCONT"))
              )
            )
            // Three times the time that it may work on the page.
            return yield* ask(reader, { ask: "page", index: 0 }, 300)
          })
        )
        assert.strictEqual(answer.answer, "page")
      }).pipe(Effect.scoped, Effect.provide([Sandbox.layer, NodeServices.layer]))
  )

  it.live("that the system ended is replaced, and only fails as unavailable if that goes on", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() => manyPages(1))
      const pool = yield* makeReaderPool(options)
      let readers = 0
      const readAfter = (kills: number) =>
        pool.use({ bytes, mimeType: undefined }, (reader) => {
          if (readers++ < kills) process.kill(programOf(reader.process.pid ?? 0), "SIGKILL")
          return ask(reader, { ask: "page", index: 0 }, 20_000)
        })
      assert.strictEqual((yield* readAfter(1)).answer, "page")
      assert.strictEqual(readers, 2)
      assert.strictEqual((yield* Effect.flip(readAfter(Infinity)))._tag, "ReaderUnavailable")
    }).pipe(Effect.scoped, Effect.provide([Sandbox.layer, NodeServices.layer]))
  )

  it.live("whose reader cannot start is not to blame", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() => manyPages(1))
      const pool = yield* makeReaderPool(options)
      const error = yield* Effect.flip(pool.use({ bytes, mimeType: undefined }, asOpened))
      assert.strictEqual(error._tag, "ReaderUnavailable")
    }).pipe(
      Effect.scoped,
      Effect.provide([Sandbox.layerIn(["permissions", () => ["/no/such/program"]]), NodeServices.layer])
    )
  )

  it.live("with too many pages is refused as often as it is asked for", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() => manyPages(4))
      const pool = yield* makeReaderPool(options)
      const ask = Effect.flip(pool.use({ bytes, mimeType: undefined }, asOpened))
      assert.match((yield* ask).message, /4 pages/u)
      assert.match((yield* ask).message, /4 pages/u)
    }).pipe(Effect.scoped, Effect.provide([Sandbox.layer, NodeServices.layer]))
  )
})
