import { Effect, Layer, Logger, Option, References } from "effect"
import { UrlParams } from "effect/http"
import { Settings } from "../config/Config.ts"

/** Readable log lines on a terminal, JSON everywhere else; always on standard error. */
const layerLogger = Layer.unwrap(
  Effect.sync(() =>
    Logger.layer([Logger.withConsoleError(process.stderr.isTTY ? Logger.formatLogFmt : Logger.formatJson)])
  )
)

const resource = { serviceName: "docflow" }

/** Loads the OpenTelemetry libraries only if something is exported, because they slow down every start. */
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

/** Records no values of query parameters: callers put things there that do not belong into a trace. */
const layerNoQueries = Layer.succeed(UrlParams.CurrentRedactedNames, [/^/u])

/** Makes no spans if nothing is exported: they would cost a twentieth of the CPU time of a request. */
const layerNoSpans = Layer.succeed(References.TracerEnabled, false)

/**
 * Logs, and with OTEL_EXPORTER_OTLP_ENDPOINT set also traces, metrics and logs over OTLP; the exporters read this and the
 * other standard settings themselves.
 */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ otlpEndpoint }) =>
    Option.isSome(otlpEndpoint)
      ? Layer.provideMerge(layerExport, layerLogger)
      : Layer.merge(layerLogger, layerNoSpans)
  )
).pipe(Layer.merge(layerNoQueries))
