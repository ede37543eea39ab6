import { Duration, Effect, Redacted, Schema } from "effect"
import { readFile } from "node:fs/promises"
import type { ConnectionOptions } from "node:tls"
import { defined } from "../support/Defined.ts"

/** `DATABASE_URL` cannot be used; the message names the part, and never shows a password. */
export class BadServerUrl extends Schema.TaggedError<BadServerUrl>()("BadServerUrl", {
  message: Schema.String
}) {}

/** A server of `DATABASE_URL`, which may list several. */
export interface ServerHost {
  readonly host: string
  readonly port: number
}

/** What `DATABASE_URL` says. */
export interface ServerAddress {
  readonly hosts: ReadonlyArray<ServerHost>
  readonly username: string | undefined
  readonly password: Redacted.Redacted | undefined
  readonly database: string | undefined
  readonly applicationName: string
  /** Options of the session, such as `-c search_path=docflow`. */
  readonly options: string | undefined
  readonly connectTimeout: Duration.Duration
  /** How the connection is encrypted: the first way that works is used. `false` is plain text. */
  readonly encryption: ReadonlyArray<ConnectionOptions | false>
}

const encodeHint =
  "Percent-encode the characters @ : / ? # % [ ] in the user name and the password: @ is %40, / is %2F"

const bad = (problem: string) => new BadServerUrl({ message: `DATABASE_URL: ${problem}` })

const decoded = (value: string | undefined) =>
  value === undefined || value === ""
    ? Effect.succeed(undefined)
    : Effect.try({
        try: () => decodeURIComponent(value),
        catch: () => bad(`% is not followed by two hexadecimal digits. ${encodeHint}`)
      })

/** User and password, hosts, database, and parameters. A second `@` belongs to none of them: it is part of a password. */
const parts =
  /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]*)(?:\/([^?#@]*))?(?:\?([^#@]*))?$/u

const hostParts = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/u

const hostsOf = Effect.fnUntraced(function* (names: string, port: string | undefined) {
  const defaultPort = port?.split(",") ?? []
  return yield* Effect.forEach(names.split(","), (name, index) => {
    const [, host = "", own = ""] = hostParts.exec(name) ?? []
    const number = Number(own || (defaultPort[index] ?? defaultPort[0] ?? "5432"))
    return hostParts.test(name) && Number.isInteger(number) && number > 0 && number < 65_536
      ? Effect.map(decoded(host.replace(/^\[|\]$/gu, "")), (known = "localhost"): ServerHost => ({
          host: known,
          port: number
        }))
      : bad(`a port is not a number from 1 to 65535. ${encodeHint}`)
  })
})

/** Parameters that change nothing here. */
const without: Readonly<Record<string, ReadonlyArray<string>>> = {
  channel_binding: ["disable", "prefer"],
  gssencmode: ["disable", "prefer"],
  sslnegotiation: ["postgres"],
  target_session_attrs: ["any", "primary", "read-write"]
}

const used =
  "application_name connect_timeout dbname host options password port sslcert sslkey sslmode sslrootcert user".split(
    " "
  )

const refusalOf = (name: string, value: string) => {
  if (name === "schema" || name === "search_path")
    return bad(`the parameter ${name} is not supported. Use options=-c%20search_path%3D<schema>`)
  const allowed = without[name]
  if (name === "target_session_attrs")
    return bad(
      `target_session_attrs=${value} is not supported, because docflow writes. Use read-write or primary`
    )
  return allowed === undefined
    ? bad(
        `the parameter ${name} is not supported. Supported: ${[...used, ...Object.keys(without)].toSorted().join(", ")}`
      )
    : bad(`${name}=${value} is not supported. Use ${allowed.join(" or ")}, or remove it`)
}

const fileOf = (parameter: string, path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: () => bad(`the file ${path} of ${parameter} cannot be read`)
  })

/** The ways to encrypt that `sslmode` allows, in libpq's order. */
const encryptionOf = Effect.fnUntraced(function* (given: URLSearchParams) {
  const root = given.get("sslrootcert")
  const [certificate, key] = [given.get("sslcert"), given.get("sslkey")]
  if ((certificate === null) !== (key === null)) return yield* bad("sslcert and sslkey belong together")
  const own: ConnectionOptions = {
    ...(certificate === null ? {} : { cert: yield* fileOf("sslcert", certificate) }),
    ...(key === null ? {} : { key: yield* fileOf("sslkey", key) })
  }
  const unverified: ConnectionOptions = { ...own, rejectUnauthorized: false }
  const trusted: ConnectionOptions =
    root === null || root === "system" ? own : { ...own, ca: yield* fileOf("sslrootcert", root) }
  // The certificate must be signed by the authority, for whichever host.
  const anyHost: ConnectionOptions = { ...trusted, checkServerIdentity: () => undefined }
  const hasRoot = root !== null && root !== "system"
  const mode = given.get("sslmode") ?? (root === "system" ? "verify-full" : "prefer")
  if (root === "system" && mode !== "verify-full")
    return yield* bad("sslrootcert=system needs sslmode=verify-full")
  switch (mode) {
    case "disable":
      return [false as const]
    case "allow":
      return [false as const, unverified]
    case "prefer":
      return [unverified, false as const]
    case "require":
      return [hasRoot ? anyHost : unverified]
    case "verify-ca":
      return hasRoot ? [anyHost] : yield* bad("sslmode=verify-ca needs sslrootcert=<file>")
    case "verify-full":
      return [trusted]
    default:
      return yield* bad(
        `sslmode=${mode} is not supported. Use disable, allow, prefer, require, verify-ca or verify-full`
      )
  }
})

/** Reads `DATABASE_URL` as libpq does. What cannot be used as there is refused by its name. */
export const parseServerUrl = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const found = parts.exec(Redacted.value(url))
  if (found === null)
    return yield* bad(`it is not postgres://<user>:<password>@<host>:<port>/<database>. ${encodeHint}`)
  const [, user, password, names = "", path, query = ""] = found
  const given = new URLSearchParams(query)
  for (const [name, value] of given) {
    if (!used.includes(name) && without[name]?.includes(value) !== true) return yield* refusalOf(name, value)
  }
  const seconds = Number(given.get("connect_timeout") ?? "4")
  if (!Number.isInteger(seconds) || seconds < 0)
    return yield* bad("connect_timeout is not a number of seconds")
  const secret = given.get("password") ?? (yield* decoded(password))
  const address: ServerAddress = {
    hosts: yield* hostsOf(given.get("host") ?? names, given.get("port") ?? undefined),
    username: given.get("user") ?? (yield* decoded(user)),
    password: secret === undefined ? undefined : Redacted.make(secret),
    database: given.get("dbname") ?? (yield* decoded(path)),
    applicationName: given.get("application_name") ?? "docflow",
    options: given.get("options") ?? undefined,
    connectTimeout: seconds === 0 ? Duration.infinity : Duration.seconds(seconds),
    encryption: yield* encryptionOf(given)
  }
  return address
})

/** The parts of an address that a connection needs, apart from host and encryption. */
export const credentialsOf = ({
  applicationName,
  connectTimeout,
  database,
  options,
  password,
  username
}: ServerAddress) =>
  defined({ applicationName, connectTimeout, database, startupOptions: options, password, username })
