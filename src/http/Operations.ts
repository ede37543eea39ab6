import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { makeReadiness } from "../services/storage/StorageHealth.ts"

/** GET /health/live: the process answers. */
const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

/**
 * GET /health/ready: the database takes writes, the document store answers, neither failed in the last seconds, the clock is right,
 * and another process of the cluster can be reached if there is any.
 */
const ready = HttpRouter.use((router) =>
  Effect.flatMap(makeReadiness, (check) =>
    router.add(
      "GET",
      "/health/ready",
      Effect.match(check, {
        onSuccess: () => HttpServerResponse.jsonUnsafe({ status: "ready" }),
        onFailure: notReady
      })
    )
  )
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
