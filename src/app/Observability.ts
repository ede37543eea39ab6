import { Effect, Formatter, Layer, Logger, Option, References } from "effect"
import { UrlParams } from "effect/http"
import { Settings } from "../config/Config.ts"

const plain: ReadonlySet<string> = new Set(["string", "number", "boolean"])

/** Whether nothing in these values could be a secret, an error, or something that JSON lacks. */
const arePlain = (values: ReadonlyArray<unknown>): boolean => values.every((value) => plain.has(typeof value))

/**
 * A line of the log in JSON, as `Logger.formatJson` writes it. That one looks for secrets and errors in every object of a line,
 * which most lines need not pay for.
 */
export const formatJsonLine = Logger.map(Logger.formatStructured, (entry) =>
  arePlain([entry.message, ...Object.values(entry.annotations)])
    ? JSON.stringify(entry)
    : Formatter.formatJson(entry)
)

/** How long lines wait for others, in milliseconds. */
const gatheredFor = 10

/** Writes lines to standard error, those of a few milliseconds together, the last ones before the process exits. */
const makeWriter = () => {
  let lines: Array<string> = []
  const flush = () => {
    if (lines.length > 0) process.stderr.write(lines.join(""))
    lines = []
  }
  process.once("exit", flush)
  return (line: string): void => {
    if (lines.push(`${line}\n`) === 1) setTimeout(flush, gatheredFor)
  }
}

/** Readable log lines on a terminal, JSON everywhere else; always on standard error. */
const layerLogger = Layer.unwrap(
  Effect.sync(() =>
    Logger.layer([Logger.map(process.stderr.isTTY ? Logger.formatLogFmt : formatJsonLine, makeWriter())])
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
