import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Cause, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import { Worker } from "node:worker_threads"
import * as Embedded from "../../src/sql/Embedded.ts"
import { openEmbedded, openThreads } from "../../src/sql/EmbeddedDatabase.ts"
import { outageOf } from "../../src/sql/Outage.ts"
import { layerEmptyStore, placeEmptyStore } from "../support/EmptyStore.ts"

const program = new URL("../../src/sql/DatabaseThread.ts", import.meta.url)
const pause = Schedule.spaced("100 millis")
const empty = Layer.provide(layerEmptyStore, NodeServices.layer)

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "docflow-thread-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

/** The folder of an empty database: making one takes seconds. */
const temporaryDatabase = Effect.gen(function* () {
  const folder = join(yield* temporaryFolder, "database")
  yield* Effect.promise(() => placeEmptyStore(folder))
  return folder
})

const clientOver = (stream: () => Duplex) =>
  PgClient.layer({ stream, username: "postgres", database: "postgres", maxConnections: 1, multiplex: true })

describe("the embedded database", () => {
  it.live("calculates in a thread of its own: everything else goes on meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const slow = yield* Effect.forkChild(sql`select count(*) from generate_series(1, 1000000)`)
      let turns = 0
      while (slow.pollUnsafe() === undefined) {
        yield* Effect.sleep("1 millis")
        turns += 1
      }
      yield* Fiber.join(slow)
      assert.isAbove(turns, 10)
    }).pipe(Effect.provide(empty))
  )

  it.live("answers statements that are sent together in their order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const asked = Array.from({ length: 50 }, (_, i) => i)
      const rows = yield* Effect.forEach(asked, (i) => sql`select ${i}::int as i`, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        rows.flat(),
        asked.map((i) => ({ i }))
      )
    }).pipe(Effect.provide(empty))
  )

  it.live("stores outputs as they are, because it could compress them only slowly", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const found = yield* sql<{ storage: string }>`
        select attstorage::text as storage from pg_attribute
        where attrelid in ('step_results'::regclass, 'executions'::regclass) and attname = 'output'`
      assert.deepStrictEqual(
        found.map(({ storage }) => storage),
        ["e", "e"]
      )
    }).pipe(Effect.provide(empty))
  )

  it.live("fails what is asked once its thread has ended", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDatabase
      const database = yield* Effect.scoped(openEmbedded(folder))
      const failed = yield* Effect.callback<Error>((resume) => {
        const connection = database.connect()
        connection.on("error", (error) => resume(Effect.succeed(error)))
        connection.write(Uint8Array.of(83, 0, 0, 0, 4))
      })
      assert.strictEqual(failed.message, "The embedded database has stopped")
    }).pipe(Effect.scoped)
  )

  it.live("cuts its log and uses the space of removed rows again", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const mebibyte = "x".repeat(1024 * 1024)
        yield* sql`create table large (content text)`
        yield* sql`alter table large alter column content set storage external`
        for (let n = 0; n < 208; n++) {
          yield* sql`insert into large values (${mebibyte})`
          yield* sql`delete from large`
        }
        const [size] = yield* sql<{ mebibytes: number }>`
          select (pg_total_relation_size('large') / 1048576)::int as mebibytes`
        assert.isBelow(size?.mebibytes ?? 208, 160)
        const files = yield* Effect.promise(() => readdir(join(folder, "pg_wal")))
        // Files of 16 MiB: 208 MiB need 13, of which at most 8 are kept.
        assert.isBelow(files.filter((file) => /^[0-9A-F]{24}$/u.test(file)).length, 12)
      }).pipe(Effect.provide(Embedded.layer(folder)))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("is opened again once its thread has ended by itself, with all that was stored", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDatabase
      const workers: Array<Worker> = []
      const { connect } = yield* openThreads(() => {
        const worker = new Worker(program, { workerData: folder, env: {}, execArgv: [] })
        workers.push(worker)
        return worker
      }, true)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table notes (id int)`
        yield* sql`insert into notes values (17)`
        yield* Effect.promise(async () => workers[0]?.terminate())
        const rows = yield* Effect.retry(sql`select id from notes`, { times: 20, schedule: pause })
        assert.deepStrictEqual(rows, [{ id: 17 }])
        assert.strictEqual(workers.length, 2)
      }).pipe(Effect.provide(clientOver(connect)))
    }).pipe(Effect.scoped)
  )

  it.live("fails what it does not answer in time, and rolls back what was begun", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDatabase
      const { connect, watch } = yield* openThreads(
        () => new Worker(program, { workerData: folder, env: {}, execArgv: [] }),
        false,
        1_000
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table notes (id int)`
        watch()
        const slow = sql`select count(*) from generate_series(1, 8000000)`
        const exit = yield* Effect.exit(
          sql.withTransaction(Effect.andThen(sql`insert into notes values (1)`, slow))
        )
        const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.deepStrictEqual(outageOf(failure), { what: "database", code: "ETIMEDOUT" })
        const rows = yield* Effect.retry(sql`select id from notes`, { times: 100, schedule: pause })
        assert.deepStrictEqual(rows, [])
      }).pipe(Effect.provide(clientOver(connect)))
    }).pipe(Effect.scoped)
  )

  /** The starts of a database that a busy machine must survive: one of a hundred ended the process. */
  const starts = Number(process.env["DOCFLOW_TEST_STARTS"] ?? 2_000)
  it.live.skipIf(process.env["DOCFLOW_TEST_LONG"] === undefined)(
    `starts ${starts} times on a busy machine (long: DOCFLOW_TEST_LONG)`,
    () =>
      Effect.gen(function* () {
        const source = join(yield* temporaryFolder, "database")
        yield* Effect.promise(() => placeEmptyStore(source))
        const each = 20
        const programs = Array.from({ length: Math.ceil(starts / each) }, () =>
          Effect.promise(async () => {
            const child = spawn(process.execPath, ["test/sql/StartDatabase.ts", source, String(each)])
            let started = 0
            child.stdout.on("data", (chunk: Buffer) => (started += chunk.toString().split("\n").length - 1))
            const [code, signal]: Array<unknown> = await once(child, "close")
            return { code, signal, started }
          })
        )
        const ended = yield* Effect.all(programs, { concurrency: 2 })
        assert.deepStrictEqual(
          ended.filter(({ code, started }) => code !== 0 || started !== each),
          []
        )
      }).pipe(Effect.scoped),
    7_200_000
  )
})
