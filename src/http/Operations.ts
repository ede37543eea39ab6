import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { CurrentStorageHealth } from "../services/storage/StorageHealth.ts"

/** GET /health/live: the process answers. */
const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

/** GET /health/ready: the database answers, and no storage failed in the last seconds. */
const ready = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const check = Effect.gen(function* () {
      yield* sql`select 1`
      const outage = yield* Effect.flatMap(CurrentStorageHealth, (health) => health.recent)
      if (outage !== undefined) return notReady(`the ${outage.what} failed: ${outage.code}`)
      return HttpServerResponse.jsonUnsafe({ status: "ready" })
    })
    yield* router.add(
      "GET",
      "/health/ready",
      check.pipe(
        Effect.timeout("2 seconds"),
        Effect.catchCause(() => Effect.succeed(notReady("the database does not answer")))
      )
    )
  })
)

const notReady = (reason: string) =>
  HttpServerResponse.jsonUnsafe(
    { status: "not ready", reason },
    { status: 503, headers: { "retry-after": "1" } }
  )

/** GET /metrics, for Prometheus. */
const metrics = PrometheusMetrics.layerHttp({ prefix: "docflow" })

/** The paths for operators, which answer GET. */
export const pathsOfOperators = ["/health/live", "/health/ready", "/metrics"]

/** The paths that answer GET besides those of the contract. */
export const pathsOfGet = [...pathsOfOperators, "/openapi.json", "/docs"]

/** Endpoints for operators and load balancers. */
export const layer = Layer.mergeAll(live, ready, metrics)
