import { Config, Context, Effect, Layer, Schema } from "effect"
import { checkCombinations } from "./CheckCombinations.ts"
import { count, type Description, optional, setting } from "./Setting.ts"
import {
  basePath,
  issuer,
  languages,
  networks,
  origin,
  origins,
  port,
  postgresUrl,
  queue,
  text
} from "./SettingTypes.ts"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The folder of docflow's own files: the clone, or `dist/` of the installed package. */
const home = new URL("../../", import.meta.url)

/** Whether a folder is one that ships with docflow. */
export const isShipped = (folder: string, name: string): boolean =>
  folder === fileURLToPath(new URL(name, home))

/** A file or folder of the working directory, such as `flows`, or docflow's own if there is none. */
export const ownOrShipped = (name: string): string =>
  existsSync(name) ? name : fileURLToPath(new URL(name, home))

/** How pictures are recognised. */
const ocr = {
  engine: setting(
    "DOCFLOW_OCR",
    Schema.Literals(["auto", "fast", "paddle", "tesseract-js", "tesseract", "off"]),
    "recognition of scans and photos: auto (two engines), fast (Tesseract alone), paddle, tesseract-js, tesseract or off",
    "auto"
  ),
  languages: setting(
    "DOCFLOW_OCR_LANGUAGES",
    languages,
    "languages of scans and photos, by Tesseract's names, separated by commas: eng,deu; auto finds the language of each page",
    ["auto"]
  ),
  pageSeconds: setting(
    "DOCFLOW_OCR_PAGE_SECONDS",
    count,
    "maximum number of seconds for recognising a page, up to six times as many on a busy machine; a page that takes longer is reported with a problem",
    60
  )
} as const

/** Every other setting of a process; models and their providers have their own (`providers/llm/ModelSettings.ts`). */
const own = {
  host: setting("DOCFLOW_HOST", text, "address to listen on", "127.0.0.1"),
  port: setting("DOCFLOW_PORT", port, "port to listen on", 8080),
  tlsCert: optional(
    "DOCFLOW_TLS_CERT",
    text,
    "file of the TLS certificate (PEM), for HTTPS; requires DOCFLOW_TLS_KEY",
    "unset: plain HTTP, for loopback or behind a proxy"
  ),
  tlsKey: optional("DOCFLOW_TLS_KEY", text, "file of the private key of the certificate (PEM)"),
  trustedProxies: setting(
    "DOCFLOW_TRUSTED_PROXIES",
    networks,
    "addresses or networks of proxies whose X-Forwarded-* headers are trusted, separated by commas",
    []
  ),
  publicUrl: optional(
    "DOCFLOW_PUBLIC_URL",
    origin,
    "address of the service as browsers and clients see it: https://docflow.example.com",
    "unset: the address on which it listens"
  ),
  basePath: setting(
    "DOCFLOW_BASE_PATH",
    basePath,
    "path under which a proxy serves docflow, whether the proxy removes it or not: /docflow",
    ""
  ),
  corsOrigins: setting(
    "DOCFLOW_CORS_ORIGINS",
    origins,
    "origins whose pages may call /api/v1 from a browser, separated by commas: https://app.example.com",
    []
  ),
  dataDir: setting("DOCFLOW_DATA_DIR", text, "folder of the embedded database and of the blobs", ".docflow"),
  databaseUrl: optional(
    "DATABASE_URL",
    postgresUrl,
    "postgres://…; several processes may share it",
    "unset: embedded"
  ),
  blobs: optional(
    "DOCFLOW_BLOBS",
    Schema.Literals(["folder", "database", "s3"]),
    "where documents are stored until they expire: folder, database or s3",
    "folder; database with DATABASE_URL"
  ),
  s3Bucket: optional("DOCFLOW_S3_BUCKET", text, "bucket for DOCFLOW_BLOBS=s3"),
  s3Prefix: setting("DOCFLOW_S3_PREFIX", Schema.String, "precedes the names of the objects: docflow/", ""),
  s3Region: setting("DOCFLOW_S3_REGION", text, "region of the bucket", "us-east-1"),
  s3Endpoint: optional(
    "DOCFLOW_S3_ENDPOINT",
    Schema.String.check(Schema.isPattern(/^https?:\/\/[^/]/u)),
    "address of an S3-compatible store other than AWS: https://minio.example.com",
    "unset: AWS"
  ),
  executionDays: optional(
    "DOCFLOW_EXECUTION_DAYS",
    count,
    "days after its end for which an execution is kept; then it is removed, once its output has expired, and its cost is added up",
    "unset: always"
  ),
  clusterHost: optional(
    "DOCFLOW_CLUSTER_HOST",
    text,
    "address at which other processes reach this one",
    "unset: one process"
  ),
  clusterPort: optional("DOCFLOW_CLUSTER_PORT", port, "port for the other processes; requires DATABASE_URL"),
  role: setting(
    "DOCFLOW_ROLE",
    Schema.Literals(["all", "api", "runner"]),
    "what this process does: all; api (only answers requests) or runner (only runs executions), with DATABASE_URL",
    "all"
  ),
  flowsDir: setting(
    "DOCFLOW_FLOWS_DIR",
    text,
    "folder of the flows, <id>/<version>.yaml",
    ownOrShipped("flows"),
    "flows; if there is no such folder, the flows that ship with docflow"
  ),
  flowEditing: setting(
    "DOCFLOW_FLOW_EDITING",
    Schema.Literals(["on", "off"]),
    "whether the dashboard may run drafts of flows and save new versions in the flows folder: on or off",
    "on"
  ),
  adminToken: optional(
    "DOCFLOW_ADMIN_TOKEN",
    Schema.RedactedFromValue(Schema.String.check(Schema.isMinLength(16))),
    "token of the administration API, at least 16 characters",
    "generated on first start and stored in the data folder"
  ),
  oidcIssuer: optional(
    "DOCFLOW_OIDC_ISSUER",
    issuer,
    "address of an OpenID provider at which people sign in to the dashboard; requires DOCFLOW_OIDC_CLIENT_ID",
    "unset: name and password"
  ),
  oidcClientId: optional("DOCFLOW_OIDC_CLIENT_ID", text, "docflow's client id at the OpenID provider"),
  oidcClientSecret: optional(
    "DOCFLOW_OIDC_CLIENT_SECRET",
    Schema.RedactedFromValue(text),
    "docflow's client secret at the OpenID provider",
    "unset: a public client"
  ),
  oidcRoleClaim: setting(
    "DOCFLOW_OIDC_ROLE_CLAIM",
    text,
    "claim of the ID token that names the role: a string or an array with viewer, reviewer, operator or administrator",
    "docflow_role"
  ),
  keyPrefix: setting(
    "DOCFLOW_KEY_PREFIX",
    Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9]{0,15}$/u)),
    "prefix of API keys",
    "df"
  ),
  maxFileMB: setting(
    "DOCFLOW_MAX_FILE_MB",
    count,
    "maximum size of a document, in MB; a flow may allow less",
    20
  ),
  maxVariablesKB: setting(
    "DOCFLOW_MAX_VARIABLES_KB",
    count,
    "maximum size of `input.variables`, in KB of JSON",
    1024
  ),
  maxVariablesKeys: setting(
    "DOCFLOW_MAX_VARIABLES_KEYS",
    count,
    "maximum number of keys in the objects of `input.variables`, and of `metadata`",
    10_000
  ),
  maxValues: setting(
    "DOCFLOW_MAX_VALUES",
    count,
    "maximum number of JSON values in a request: members, elements, arrays and objects",
    50_000
  ),
  concurrency: setting(
    "DOCFLOW_CONCURRENCY",
    count,
    "maximum number of executions that this process runs at once",
    16
  ),
  stopSeconds: setting(
    "DOCFLOW_STOP_SECONDS",
    count,
    "maximum number of seconds for stopping after SIGTERM; then the process exits",
    30
  ),
  databaseConnections: setting(
    "DOCFLOW_DATABASE_CONNECTIONS",
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 3, maximum: 1_000 })),
    "maximum number of connections of this process to DATABASE_URL, one of which only listens",
    12
  ),
  queue: setting(
    "DOCFLOW_QUEUE",
    queue,
    "maximum number of waiting executions in all processes; beyond it, runs are answered with 503",
    10_000
  ),
  readers: setting("DOCFLOW_READERS", count, "number of processes that read documents", 2),
  lexicon: optional(
    "DOCFLOW_LEXICON",
    text,
    "folder of your own lexicon files, <language>.yaml: labels and words for extract and classify"
  ),
  otlpEndpoint: optional(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    text,
    "address to which traces, metrics and logs are sent"
  )
} as const

/** The database that processes share, for programs that need no other setting. */
export const databaseUrl = own.databaseUrl

/** The flows folder, for programs that need no other setting. */
export const flowsFolder = own.flowsDir

/** The folder of the user's own lexicon, for programs that need no other setting. */
export const lexiconFolder = own.lexicon

/** The number of processes that open documents, for programs that need no other setting. */
export const readerProcesses = own.readers

/** How pictures are recognised, for programs that need no other setting. */
export const ocrSettings = Config.all(ocr)

const read = Config.all({ ...own, ocr: ocrSettings })

/** Every setting of a process, read once from the environment. */
export class Settings extends Context.Service<
  Settings,
  typeof read extends Config.Config<infer A> ? A : never
>()("docflow/Config/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const settings = yield* read
      yield* checkCombinations(settings)
      return settings
    })
  )
}

/** Every setting above, as `docflow serve --help` lists it. */
export const settings: ReadonlyArray<Description> = [...Object.values(own), ...Object.values(ocr)]
