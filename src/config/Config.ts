import { Config, Context, Effect, Layer, Option, Result, Schema, SchemaTransformation } from "effect"
import { IpNetwork } from "effect/net"
import { keyMissing, modelSettings, modelTable } from "./ModelSettings.ts"
import { count, optional, setting } from "./Setting.ts"

const port = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 }))
const queue = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: 10_000_000 })
)
const postgresUrl = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(/^postgres(ql)?:\/\//u, { message: "must start with postgres://" })),
  { label: "DATABASE_URL" }
)
const text = Schema.NonEmptyString
const isNetwork = (network: string): boolean => Result.isSuccess(IpNetwork.fromString(network))
const networks = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(
      Schema.String.check(
        Schema.makeFilter(isNetwork, {
          message: "must be addresses or networks, like 10.0.0.0/8,192.168.1.7/32"
        })
      )
    ),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: (list) =>
        list
          .split(",")
          .map((part) => withPrefix(part.trim()))
          .filter((part) => part !== ""),
      encode: (parts) => parts.join(",")
    })
  )
)
/** A single address is a network of one. */
const withPrefix = (network: string): string =>
  network === "" || network.includes("/") ? network : `${network}/${network.includes(":") ? 128 : 32}`

const languages = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z_]{2,30}([+,] ?[a-z][a-z_]{2,30})*$/iu, {
    message: "must be names of languages, like eng,deu"
  })
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: (list) => list.split(/[+,] ?/u),
      encode: (names) => names.join(",")
    })
  )
)

/** Every setting: its name in the environment, how it is read, its default, and what it is for. */
const table = {
  DOCFLOW_HOST: setting(text, "address to listen on")("DOCFLOW_HOST", "127.0.0.1"),
  DOCFLOW_PORT: setting(port, "port to listen on")("DOCFLOW_PORT", 8080),
  DOCFLOW_TLS_CERT: optional(
    text,
    "file of the certificate (PEM): HTTPS; needs DOCFLOW_TLS_KEY",
    "unset: plain HTTP, for loopback or behind a proxy"
  )("DOCFLOW_TLS_CERT"),
  DOCFLOW_TLS_KEY: optional(text, "file of the certificate's key (PEM)")("DOCFLOW_TLS_KEY"),
  DOCFLOW_TRUSTED_PROXIES: setting(
    networks,
    "addresses or networks of proxies whose X-Forwarded-* headers are believed, separated by commas"
  )("DOCFLOW_TRUSTED_PROXIES", []),
  DOCFLOW_DATA_DIR: setting(text, "folder of the embedded database and of the blobs")(
    "DOCFLOW_DATA_DIR",
    ".docflow"
  ),
  DATABASE_URL: optional(
    postgresUrl,
    "postgres://…; several processes may share it",
    "unset: embedded"
  )("DATABASE_URL"),
  DOCFLOW_BLOBS: optional(
    Schema.Literals(["folder", "database"]),
    "where documents are kept until they expire: folder or database",
    "folder; database with DATABASE_URL"
  )("DOCFLOW_BLOBS"),
  DOCFLOW_CLUSTER_HOST: optional(
    text,
    "address under which the other processes reach this one",
    "unset: one process"
  )("DOCFLOW_CLUSTER_HOST"),
  DOCFLOW_CLUSTER_PORT: optional(
    port,
    "port for the other processes; needs DATABASE_URL"
  )("DOCFLOW_CLUSTER_PORT"),
  DOCFLOW_FLOWS_DIR: setting(text, "folder of the flows, <id>/<version>.yaml")("DOCFLOW_FLOWS_DIR", "flows"),
  DOCFLOW_ADMIN_TOKEN: optional(
    Schema.RedactedFromValue(Schema.String.check(Schema.isMinLength(16))),
    "token of the administration API, at least 16 characters",
    "made on first start, kept in the data folder"
  )("DOCFLOW_ADMIN_TOKEN"),
  DOCFLOW_KEY_PREFIX: setting(
    Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9]{0,15}$/u)),
    "what API keys start with"
  )("DOCFLOW_KEY_PREFIX", "df"),
  DOCFLOW_MAX_FILE_MB: setting(count, "largest file of a request, in MB; a flow may allow less")(
    "DOCFLOW_MAX_FILE_MB",
    20
  ),
  DOCFLOW_CONCURRENCY: setting(count, "executions that this process runs at once")("DOCFLOW_CONCURRENCY", 16),
  DOCFLOW_QUEUE: setting(
    queue,
    "executions that may wait in all processes together; past it runs are answered 503"
  )("DOCFLOW_QUEUE", 10_000),
  DOCFLOW_READERS: setting(count, "processes that open documents")("DOCFLOW_READERS", 2),
  DOCFLOW_OCR: setting(
    Schema.Literals(["auto", "tesseract-js", "tesseract", "off"]),
    "engine that reads pictures: auto, tesseract-js, tesseract or off"
  )("DOCFLOW_OCR", "auto"),
  DOCFLOW_OCR_LANGUAGES: setting(
    languages,
    "languages that pictures are read in, by Tesseract's names, separated by commas: eng,deu"
  )("DOCFLOW_OCR_LANGUAGES", ["eng"]),
  DOCFLOW_OCR_PAGE_SECONDS: setting(
    count,
    "seconds that recognising a page may take; one that takes longer is listed with its problem"
  )("DOCFLOW_OCR_PAGE_SECONDS", 60),
  DOCFLOW_LEXICON: optional(
    text,
    "folder of your own lexicon files, <language>.yaml: labels and words that extract and classify know"
  )("DOCFLOW_LEXICON"),
  ...modelTable,
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    text,
    "where traces, metrics and logs are sent"
  )("OTEL_EXPORTER_OTLP_ENDPOINT")
} as const

/** The folder of the flows, for what needs no other setting. */
export const flowsFolder = table.DOCFLOW_FLOWS_DIR.config

/** The folder of the user's own lexicon, for what needs no other setting. */
export const lexiconFolder = table.DOCFLOW_LEXICON.config

/** How pictures are read, for what needs no other setting. */
export const ocrSettings = Config.all({
  engine: table.DOCFLOW_OCR.config,
  languages: table.DOCFLOW_OCR_LANGUAGES.config,
  pageSeconds: table.DOCFLOW_OCR_PAGE_SECONDS.config
})

const read = Config.all({
  tlsCert: table.DOCFLOW_TLS_CERT.config,
  tlsKey: table.DOCFLOW_TLS_KEY.config,
  trustedProxies: table.DOCFLOW_TRUSTED_PROXIES.config,
  host: table.DOCFLOW_HOST.config,
  port: table.DOCFLOW_PORT.config,
  dataDir: table.DOCFLOW_DATA_DIR.config,
  databaseUrl: table.DATABASE_URL.config,
  blobs: table.DOCFLOW_BLOBS.config,
  clusterHost: table.DOCFLOW_CLUSTER_HOST.config,
  clusterPort: table.DOCFLOW_CLUSTER_PORT.config,
  flowsDir: table.DOCFLOW_FLOWS_DIR.config,
  adminToken: table.DOCFLOW_ADMIN_TOKEN.config,
  keyPrefix: table.DOCFLOW_KEY_PREFIX.config,
  concurrency: table.DOCFLOW_CONCURRENCY.config,
  maxFileMB: table.DOCFLOW_MAX_FILE_MB.config,
  queue: table.DOCFLOW_QUEUE.config,
  readers: table.DOCFLOW_READERS.config,
  ocr: ocrSettings,
  lexicon: lexiconFolder,
  models: modelSettings,
  otlpEndpoint: table.OTEL_EXPORTER_OTLP_ENDPOINT.config
})

/** Two settings that do not go together. */
export class SettingsConflict extends Schema.TaggedError<SettingsConflict>()("SettingsConflict", {
  message: Schema.String
}) {}

/** Every setting of a process, read once from the environment. */
export class Settings extends Context.Service<
  Settings,
  typeof read extends Config.Config<infer A> ? A : never
>()("docflow/Config/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const settings = yield* read
      const clustered = Option.isSome(settings.clusterHost) || Option.isSome(settings.clusterPort)
      if (clustered && Option.isNone(settings.databaseUrl)) {
        return yield* new SettingsConflict({
          message: "DOCFLOW_CLUSTER_HOST and DOCFLOW_CLUSTER_PORT need DATABASE_URL: set it, or unset them"
        })
      }
      if (Option.isSome(settings.clusterHost) !== Option.isSome(settings.clusterPort)) {
        return yield* new SettingsConflict({
          message: "DOCFLOW_CLUSTER_HOST and DOCFLOW_CLUSTER_PORT go together: set both, or neither"
        })
      }
      if (Option.isSome(settings.tlsCert) !== Option.isSome(settings.tlsKey)) {
        return yield* new SettingsConflict({
          message: "DOCFLOW_TLS_CERT and DOCFLOW_TLS_KEY go together: set both, or neither"
        })
      }
      const missing = keyMissing(settings.models)
      return missing === undefined ? settings : yield* new SettingsConflict({ message: missing })
    })
  )
}

/** A line for each setting: name, default, purpose. */
export const settingsHelp: ReadonlyArray<{
  readonly name: string
  readonly fallback: string
  readonly about: string
}> = Object.entries(table).map(([name, { about, fallback }]) => ({ name, fallback, about }))
