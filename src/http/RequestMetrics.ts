import { Effect, Metric } from "effect"
import { seriesOf } from "../support/SeriesOf.ts"

const requests = seriesOf((attributes: { readonly method: string; readonly status: string }) =>
  Metric.counter("http_requests_total", {
    description: "Requests answered, by method and status.",
    incremental: true,
    attributes
  })
)
const durations = Metric.histogram("http_request_duration_ms", {
  description: "How long requests took, in milliseconds; those that wait for a result included.",
  boundaries: [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 60_000]
})

/** Counts an answer; `durationMs` in milliseconds. */
export const countRequest = (method: string, status: number, durationMs: number): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(requests({ method, status: String(status) }), 1),
    Metric.update(durations, durationMs)
  )
