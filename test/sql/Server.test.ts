import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Exit, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { describeStartProblem } from "../../src/app/StartProblem.ts"
import * as Database from "../../src/sql/Database.ts"
import { outageOf } from "../../src/sql/Outage.ts"
import { freePorts, type Postgres, startPostgres } from "../durability/Postgres.ts"
import { lockTables } from "../durability/Rows.ts"
import { hasPgBouncer, startPgBouncer } from "../support/PgBouncer.ts"
import { type Proxy, startProxy } from "../support/Proxy.ts"

const patient = { times: 50, schedule: Schedule.spaced("200 millis") }
const certificate = "test/operation/tls/certificate.pem"

const eventually = (rows: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>, count: number) =>
  Effect.retry(
    Effect.filterOrFail(rows, ({ length }) => length === count),
    patient
  )

/** Uses a database with the newest schema. */
const using = <A, E>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, use).pipe(
    Effect.provide(
      Layer.fresh(Database.layerServer(Redacted.make(url), 4)).pipe(Layer.provide(NodeServices.layer))
    )
  )

/** Why a start with this URL fails. */
const problemOf = (url: string) =>
  Effect.map(Effect.exit(using(url, (sql) => sql`select 1`)), (exit) =>
    Exit.isFailure(exit) ? describeStartProblem(exit.cause) : "it started"
  )

/** The code of the outage behind a failure within the time that a request has. */
const codeInTime = <A>(statement: Effect.Effect<A, SqlError.SqlError>) =>
  Effect.map(Effect.timeout(Effect.flip(statement), "15 seconds"), (failure) => outageOf(failure)?.code)

/** Locks a table until it is interrupted; returns once it has the lock. */
const holdTable = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, table: string) {
  const isLocked = yield* Deferred.make<void>()
  const locking = sql
    .unsafe(`lock table ${table}`)
    .pipe(Effect.andThen(Deferred.succeed(isLocked, undefined)), Effect.andThen(Effect.never))
  const lock = yield* Effect.forkChild(sql.withTransaction(locking))
  yield* Deferred.await(isLocked)
  return lock
})

const urlOf = (at: number | string, query = "") =>
  `postgres://docflow:docflow@${typeof at === "number" ? `127.0.0.1:${at}` : at}/docflow${query}`

describe("a PostgreSQL server", { timeout: 120_000 }, () => {
  let postgres: Postgres
  let proxy: Proxy
  let port = 0
  beforeAll(async () => {
    postgres = await startPostgres({ tls: true })
    port = Number(new URL(postgres.url).port)
    proxy = await startProxy(port)
  }, 120_000)
  afterAll(async () => {
    await proxy.close()
    await postgres.stop()
  })

  /** Runs statements one by one, without docflow's connections. */
  const statements = (...texts: ReadonlyArray<string>) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true })
    ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(postgres.url) })))

  it.live("fails a statement that waits for a lock, and goes on with the connection", () =>
    using(urlOf(port), (sql) =>
      Effect.gen(function* () {
        yield* sql`create table locked (id int)`
        const lock = yield* holdTable(sql, "locked")
        assert.strictEqual(yield* codeInTime(sql`select id from locked`), "57014")
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
        yield* Fiber.interrupt(lock)
      })
    )
  )

  it.live("fails what a silent connection does not answer, and replaces all that are as old", () =>
    using(urlOf(proxy.port), (sql) =>
      Effect.gen(function* () {
        // Three connections.
        yield* Effect.all(
          [1, 2, 3].map(() => sql`select pg_sleep(0.3)`),
          { concurrency: 3 }
        )
        proxy.fallSilent(false)
        assert.strictEqual(yield* codeInTime(sql`select 1`), "ETIMEDOUT")
        const answers = yield* Effect.forEach([1, 2, 3], (n) => sql`select ${n}::int as n`, {
          concurrency: 3
        })
        assert.deepStrictEqual(answers.flat(), [{ n: 1 }, { n: 2 }, { n: 3 }])
        proxy.fallSilent(true)
        const failed = yield* Effect.all(
          Array.from({ length: 9 }, () => codeInTime(sql`select 1`)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(failed), new Set(["ETIMEDOUT"]))
        proxy.recover()
        // Connections that were being opened meanwhile fail first.
        yield* Effect.retry(sql`select 1`, patient)
      })
    )
  )

  it.live("gets indexes that are missing or unusable while runs write, from one of several processes", () =>
    Effect.gen(function* () {
      const usable = `select from pg_index where indisvalid and indexrelid in (
        to_regclass('executions_of_flow'), to_regclass('executions_unfinished'))`
      const done = (sql: SqlClient.SqlClient) => eventually(sql.unsafe<object>(usable), 2)
      yield* using(urlOf(port), done)
      yield* statements(
        "drop index executions_of_flow",
        "update pg_index set indisvalid = false where indexrelid = 'executions_unfinished'::regclass"
      )
      // Making an index waits for whoever is writing, and whoever writes later must not wait for it.
      const unlock = yield* Effect.promise(() => lockTables(postgres.url, "executions", "row exclusive"))
      const waiting = `select from pg_stat_activity
        where query like 'create index concurrently%' and wait_event_type = 'Lock'`
      const writing = using(urlOf(port), (sql) =>
        Effect.gen(function* () {
          yield* eventually(sql.unsafe<object>(waiting), 1)
          yield* sql`update executions set progress_percentage = 1`
          yield* Effect.promise(unlock)
          yield* done(sql)
        })
      )
      yield* Effect.all([writing, using(urlOf(port), done)], { concurrency: 2 })
    })
  )

  const become = (readOnly: "on" | "off") =>
    statements(`alter system set default_transaction_read_only = ${readOnly}`, "select pg_reload_conf()")

  it.live("is not used while it is read-only, and at once when it accepts writes again", () =>
    using(urlOf(port), (sql) =>
      Effect.gen(function* () {
        yield* sql`create table written (id int)`
        yield* become("on")
        // The old connection, and a new one.
        yield* Effect.eventually(codeInTime(sql`insert into written values (1)`))
        assert.strictEqual(yield* codeInTime(sql`insert into written values (1)`), "25006")
        assert.match(yield* problemOf(urlOf(port)), /the server is read-only: a standby, or out of disk/u)
        yield* become("off")
        yield* Effect.retry(sql`insert into written values (2)`, patient)
        assert.deepStrictEqual(yield* sql`select id from written where id = 2`, [{ id: 2 }])
      })
    )
  )

  it.live("is found among several hosts, of which some are dead or silent", () =>
    Effect.gen(function* () {
      const [dead = 0] = yield* Effect.promise(() => freePorts(1))
      const silent = yield* Effect.promise(() => startProxy(port))
      silent.fallSilent(true)
      const hosts = `127.0.0.1:${dead},127.0.0.1:${silent.port},127.0.0.1:${port}`
      const query = "?connect_timeout=1&target_session_attrs=read-write"
      assert.strictEqual(yield* problemOf(urlOf(hosts, query)), "it started")
      yield* Effect.promise(() => silent.close())
    })
  )

  it.live("is encrypted as sslmode says, and an untrusted certificate is said so", () =>
    Effect.gen(function* () {
      const root = `&sslrootcert=${certificate}`
      const started: ReadonlyArray<string> = [
        "?sslmode=disable",
        "",
        "?sslmode=require",
        `?sslmode=require${root}`,
        `?sslmode=verify-ca${root}`,
        `?sslmode=verify-full${root}`
      ]
      for (const query of started) {
        const rows = yield* using(
          urlOf(port, query),
          (sql) => sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
        )
        assert.deepStrictEqual([query, rows[0]?.ssl], [query, query !== "?sslmode=disable"])
      }
      assert.match(
        yield* problemOf(urlOf(port, "?sslmode=verify-full")),
        /^The certificate of the server of DATABASE_URL is not trusted \(.+\)\. Set sslrootcert to the file/u
      )
    })
  )

  it.live(
    "is refused with the statement that mends it where the user lacks rights, or a schema is missing",
    () =>
      Effect.gen(function* () {
        yield* statements(
          "create role guest login password 'guest'",
          "create database theirs",
          "create database old encoding 'SQL_ASCII' template template0"
        )
        const guest = `postgres://guest:guest@127.0.0.1:${port}`
        assert.strictEqual(
          yield* problemOf(`${guest}/theirs`),
          "The user of DATABASE_URL may not create tables in the schema public. Run as the owner of the database: " +
            "grant create on schema public to guest"
        )
        assert.match(
          yield* problemOf(`${guest}/theirs?options=-c%20search_path%3Dnowhere`),
          /no schema of the search path nowhere that guest may use\. Run as its owner: create schema if not exists/u
        )
        assert.match(
          yield* problemOf(`postgres://docflow:docflow@127.0.0.1:${port}/old`),
          /has the encoding SQL_ASCII/u
        )
        yield* statements("grant create on database theirs to guest")
        const own = PgClient.layer({ url: Redacted.make(`${guest}/theirs`) })
        yield* Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create schema own`),
          own
        )
        assert.strictEqual(yield* problemOf(`${guest}/theirs?options=-c%20search_path%3Down`), "it started")
      })
  )

  it.live.skipIf(!hasPgBouncer)(
    `is used through PgBouncer with session pooling only${hasPgBouncer ? "" : " (skipped: no pgbouncer here)"}`,
    () =>
      Effect.gen(function* () {
        const [session = 0, transaction = 0, statement = 0] = yield* Effect.promise(() => freePorts(3))
        const modes = [
          ["session", session],
          ["transaction", transaction],
          ["statement", statement]
        ] as const
        yield* Effect.forEach(modes, ([mode, at]) =>
          Effect.acquireRelease(
            Effect.promise(() => startPgBouncer(new URL(postgres.url), { mode, port: at, size: 8 })),
            (stop) => Effect.promise(stop)
          )
        )
        assert.strictEqual(yield* problemOf(urlOf(session)), "it started")
        for (const at of [transaction, statement]) {
          assert.match(
            yield* problemOf(urlOf(at)),
            /^DATABASE_URL leads to a pooler that shares sessions .+ use session pooling \(PgBouncer: pool_mode = session\)/u
          )
        }
        yield* using(urlOf(session), (sql) =>
          Effect.gen(function* () {
            const lock = yield* holdTable(sql, "executions")
            assert.strictEqual(yield* codeInTime(sql`select id from executions`), "57014")
            yield* Fiber.interrupt(lock)
          })
        )
      }).pipe(Effect.scoped)
  )
})
