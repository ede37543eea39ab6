import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { pdf } from "../test/support/Documents.ts"
import { compare } from "./SideBySide.ts"

/**
 * `GET /runs/{executionId}` of a finished execution, next to a bare route of `effect/http` with one indexed SELECT of the
 * same row on the same PostgreSQL, by the same client, which accepts no compression: the bare route has none. The goal is a
 * ratio of at least 0.6. What compressing costs is in the ratio of the last line, for callers that accept gzip.
 *
 * `node bench/get-run.ts [requests a round]`
 */

const count = Number(process.argv[2] ?? 2_000)
const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const postgres = await startPostgres()
const service = await ServiceProcess.start({ DATABASE_URL: postgres.url, DOCFLOW_DATA_DIR: folder })
const { key } = await service.makeOrganization({ requestsPerMinute: 10_000_000 })
const { body } = await service.call("POST", "/api/v1/flows/text/run", {
  key,
  body: { wait: true, input: { document: { base64: await pdf() } } }
})

const route = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const select = sql`select id, flow_id, version, status, created_at, ended_at, output from executions where id = ${body.id}`
    yield* router.add(
      "GET",
      "/",
      Effect.map(select, ([row]) => HttpServerResponse.jsonUnsafe(row))
    )
  })
)
const bare = ManagedRuntime.make(
  HttpRouter.serve(route, { disableLogger: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
    Layer.provide(PgClient.layer({ url: Redacted.make(postgres.url), maxConnections: 12 }))
  )
)
const address = HttpServer.formatAddress((await bare.runPromise(HttpServer.HttpServer)).address)

const get = async (url: string, encoding = "identity"): Promise<void> => {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, "accept-encoding": encoding }
  })
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  await answer.json()
}
const run = `${service.address}/api/v1/runs/${body.id}`

const [, ratio = 0] = await compare(
  [
    { name: "docflow, GET /runs/{executionId}", one: () => get(run) },
    { name: "effect/http with one SELECT", one: () => get(address) },
    { name: "docflow, GET /runs/{executionId}, gzip", one: () => get(run, "gzip") }
  ],
  { atOnce: 16, count, rounds: 3 }
)

await bare.dispose()
await service.end("SIGTERM")
await postgres.stop()
await rm(folder, { recursive: true, force: true })
process.exitCode = ratio >= 0.6 ? 0 : 1
