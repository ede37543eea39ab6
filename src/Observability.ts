import { Effect, Layer, Logger, Option } from "effect"
import { UrlParams } from "effect/http"
import { Settings } from "./config/Config.ts"

/** Log lines for people on a terminal, JSON for programs everywhere else; always on standard error. */
const layerLogger = Logger.layer([
  Logger.withConsoleError(process.stderr.isTTY ? Logger.formatLogFmt : Logger.formatJson)
])

const resource = { serviceName: "docflow" }

/** The OpenTelemetry libraries are loaded only where something is exported: they would slow every start. */
const layerExport = Layer.unwrap(
  Effect.promise(async () => {
    const [NodeSdk, traces, metrics, logs, exportTraces, exportMetrics, exportLogs] = await Promise.all([
      import("@effect/opentelemetry/NodeSdk"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/sdk-metrics"),
      import("@opentelemetry/sdk-logs"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/exporter-metrics-otlp-http"),
      import("@opentelemetry/exporter-logs-otlp-http")
    ])
    return NodeSdk.layer(() => ({
      resource,
      spanProcessor: new traces.BatchSpanProcessor(new exportTraces.OTLPTraceExporter()),
      metricReader: new metrics.PeriodicExportingMetricReader({
        exporter: new exportMetrics.OTLPMetricExporter()
      }),
      logRecordProcessor: new logs.BatchLogRecordProcessor({ exporter: new exportLogs.OTLPLogExporter() }),
      loggerMergeWithExisting: true
    }))
  })
)

/** Callers put things into queries that do not belong into a trace: no value of a parameter is recorded. */
const layerNoQueries = Layer.succeed(UrlParams.CurrentRedactedNames, [/^/u])

/**
 * Logs, and with OTEL_EXPORTER_OTLP_ENDPOINT set also traces, metrics and logs over OTLP; the exporters read this and the
 * other standard settings themselves.
 */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ otlpEndpoint }) =>
    Option.isSome(otlpEndpoint) ? Layer.provideMerge(layerExport, layerLogger) : layerLogger
  )
).pipe(Layer.merge(layerNoQueries))
