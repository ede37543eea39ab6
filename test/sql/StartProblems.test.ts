import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { HttpServerError } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { spawnSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as HttpServerLayer from "../../src/http/HttpServerLayer.ts"
import * as OcrEngine from "../../src/providers/ocr/OcrEngine.ts"
import * as Database from "../../src/sql/Database.ts"
import * as Migrations from "../../src/sql/Migrations.ts"
import * as SharedClock from "../../src/sql/SharedClock.ts"
import { describeStartProblem } from "../../src/app/StartProblem.ts"
import { freePorts } from "../durability/Postgres.ts"
import { layerEmptyStore } from "../support/EmptyStore.ts"

const bind = (folder: string) => ["bwrap", "--dev-bind", "/", "/", "--ro-bind", folder, folder] as const
const mayBind = spawnSync("bwrap", ["--dev-bind", "/", "/", "true"]).status === 0

/** What a start says that fails with this exit. */
const said = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isFailure(exit) ? describeStartProblem(exit.cause) : "it started"

const open = (database: string) =>
  Effect.exit(
    Effect.scoped(Layer.build(Database.layerEmbedded(database)).pipe(Effect.provide(NodeServices.layer)))
  )

describe("a start that cannot succeed", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-start-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.live("names both versions where a newer docflow has changed the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into docflow_schema (version, hash) values (9001, 'future')`
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(Layer.fresh(Migrations.layer))))
      assert.match(
        said(exit),
        /^The database has schema version 9001; this docflow supports versions up to \d+\. Start a newer docflow/u
      )
    }).pipe(Effect.provide(layerEmptyStore), Effect.provide(NodeServices.layer))
  )

  it.live("says what to do with a database from before the first release", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const start = Effect.exit(Effect.scoped(Layer.build(Layer.fresh(Migrations.layer))))
      const before =
        /^The database is from before the first release of docflow.*: set DOCFLOW_DATA_DIR to an empty folder, or/u
      yield* sql`create table docflow_migrations (migration_id int)`
      assert.match(said(yield* start), before)
      yield* sql`drop table docflow_migrations`
      assert.strictEqual(said(yield* start), "it started")
      yield* sql`update docflow_schema set hash = 'edited since'`
      assert.match(said(yield* start), before)
    }).pipe(Effect.provide(layerEmptyStore), Effect.provide(NodeServices.layer))
  )

  it.live("says that its clock is not the database's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const startAt = Effect.fnUntraced(function* (ahead: number) {
        const [row] = yield* sql<{
          at: number
        }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
        yield* TestClock.setTime((row?.at ?? 0) + ahead)
        return said(yield* Effect.exit(Effect.scoped(Layer.build(Layer.fresh(SharedClock.layer)))))
      }, Effect.provide(TestClock.layer()))
      assert.match(
        yield* startAt(-240_000),
        /^The clock of this machine is 24\d seconds behind the database's; at most 5/u
      )
      assert.match(yield* startAt(3_600_000), /is 3\d{3} seconds ahead of the database's.*Set both by NTP/u)
      assert.strictEqual(yield* startAt(0), "it started")
    }).pipe(Effect.provide(layerEmptyStore), Effect.provide(NodeServices.layer))
  )

  it.live("says that the database is damaged", () =>
    Effect.gen(function* () {
      const database = join(folder, "damaged")
      yield* Effect.promise(async () => {
        await mkdir(database)
        await writeFile(join(database, "PG_VERSION"), "17\n")
      })
      const message = said(yield* open(database))
      assert.include(message, `The embedded database in ${database} cannot be opened`)
      assert.include(message, "Restore the folder from a backup, or set DOCFLOW_DATA_DIR to another folder")
    })
  )

  it.live("refuses a folder with something else in it, and changes nothing", () =>
    Effect.gen(function* () {
      const database = join(folder, "other")
      yield* Effect.promise(async () => {
        await mkdir(join(database, "base"), { recursive: true })
        await writeFile(join(database, "postgresql.conf"), "")
      })
      assert.include(said(yield* open(database)), `${database} is not empty, but is no database`)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(database)), ["base", "postgresql.conf"])
    })
  )

  it.live("says what to check where the database server cannot be reached", () =>
    Effect.gen(function* () {
      const [port] = yield* Effect.promise(() => freePorts(1))
      const url = Redacted.make(`postgres://docflow:the-password@127.0.0.1:${port}/docflow`)
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(Database.layerServer(url))))
      assert.strictEqual(
        said(exit),
        `Cannot connect to the database of DATABASE_URL (connect ECONNREFUSED 127.0.0.1:${port}). Check that PostgreSQL ` +
          `is running and accepts connections, and that host, user, password and database name are right`
      )
    })
  )

  it.live("says what to do where another program listens on its port", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.promise(
        () =>
          new Promise<Server>((resolve) => {
            const server = createServer().listen(0, "127.0.0.1", () => resolve(server))
          })
      )
      const address = taken.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const listen = { host: "127.0.0.1", port, trustedProxies: [] }
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(HttpServerLayer.layer(listen))))
      taken.close()
      assert.strictEqual(
        said(exit),
        `listen EADDRINUSE: address already in use 127.0.0.1:${port}. Stop the program that listens there, or set ` +
          `DOCFLOW_PORT to another port`
      )
    })
  )

  it.live("names the setting of an address that is none of this machine", () =>
    Effect.gen(function* () {
      const listen = { host: "192.0.2.1", port: 0, trustedProxies: [] }
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(HttpServerLayer.layer(listen))))
      assert.strictEqual(
        said(exit),
        "DOCFLOW_HOST: listen EADDRNOTAVAIL: address not available 192.0.2.1. Set it to an address of this machine, such " +
          "as 127.0.0.1, or to 0.0.0.0 for all"
      )
      const cause = Object.assign(new Error("getaddrinfo ENOTFOUND 999.1.1.1"), { code: "ENOTFOUND" })
      const unknown = Exit.fail(new HttpServerError.ServeError({ cause }))
      assert.match(said(unknown), /^DOCFLOW_HOST: getaddrinfo ENOTFOUND 999\.1\.1\.1\. Set it to/u)
    })
  )

  it.live("names the files that are no certificate and key", () =>
    Effect.gen(function* () {
      const listen = { host: "127.0.0.1", port: 0, trustedProxies: [] }
      const pair = { certificate: "README.md", key: "test/operation/tls/key.pem" }
      const exit = yield* Effect.exit(
        Effect.scoped(
          Layer.build(HttpServerLayer.layerTls(listen, pair).pipe(Layer.provide(NodeServices.layer)))
        )
      )
      assert.match(said(exit), /README\.md and .*key\.pem are not a certificate and its key/u)
    })
  )

  it.skipIf(!mayBind)(
    `says that the folder of a database is read-only${mayBind ? "" : " (skipped: bwrap may not bind here)"}`,
    async () => {
      const readOnly = join(folder, "read-only")
      await mkdir(join(readOnly, "database"), { recursive: true })
      await writeFile(join(readOnly, "database.lock.sqlite"), "")
      const [program, ...parameters] = bind(readOnly)
      const { stdout } = spawnSync(program, [
        ...parameters,
        process.execPath,
        "test/durability/HoldFolder.ts",
        join(readOnly, "database")
      ])
      assert.match(
        stdout.toString(),
        /cannot be written to \(EROFS: read-only file system.*\)\. Make it writable for this user, or set DOCFLOW_DATA_DIR/u
      )
    }
  )

  it.live("names a language that no engine has data for", () =>
    Effect.gen(function* () {
      for (const engine of ["tesseract-js", "auto"] as const) {
        const exit = yield* Effect.exit(OcrEngine.checkLanguages({ engine, languages: ["eng", "xqz"] }))
        assert.match(said(exit), /no data for the language xqz \(DOCFLOW_OCR_LANGUAGES\): npm install/u)
      }
      yield* OcrEngine.checkLanguages({ engine: "auto", languages: ["eng"] })
    })
  )
})
