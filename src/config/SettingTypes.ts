import { Result, Schema, SchemaTransformation } from "effect"
import { IpNetwork } from "effect/net"

/** A TCP port; 0 lets the system choose one. */
export const port = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 0, maximum: 65_535 })
)

/** The length of the queue of accepted executions. */
export const queue = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: 10_000_000 })
)

/** The address of a PostgreSQL server, with its password. */
export const postgresUrl = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(/^postgres(ql)?:\/\//u, { message: "must start with postgres://" })),
  { label: "DATABASE_URL" }
)

/** Any text but the empty one. */
export const text = Schema.NonEmptyString

/** A single address is a network of one address. */
const withPrefix = (network: string): string =>
  network.includes("/") ? network : `${network}/${network.includes(":") ? 128 : 32}`

const partsOf = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const isNetwork = (network: string): boolean => Result.isSuccess(IpNetwork.fromString(network))

/** Addresses and networks, separated by commas. */
export const networks = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(
      Schema.String.check(
        Schema.makeFilter(isNetwork, {
          message: "must be addresses or networks, such as 10.0.0.0/8,192.168.1.7/32"
        })
      )
    ),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: (list) => partsOf(list).map(withPrefix),
      encode: (parts) => parts.join(",")
    })
  )
)

/** The origin of a web site. */
export const origin = Schema.String.check(
  Schema.makeFilter((origin: string) => URL.parse(origin)?.origin === origin, {
    message: "must be an origin, such as https://app.example.com"
  })
)

/** The path under which a proxy serves docflow; empty: the root. */
export const basePath = Schema.String.check(
  Schema.isPattern(/^(?:\/[\w.~-]+)*$/u, {
    message: "must be a path without a slash at its end, such as /docflow"
  })
)

/** Origins of web pages, separated by commas. */
export const origins = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(origin),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: partsOf,
      encode: (parts) => parts.join(",")
    })
  )
)

/** The issuer of an OpenID provider: HTTPS, or HTTP on this machine. */
export const issuer = Schema.String.check(
  Schema.makeFilter(
    (address: string) => {
      const url = URL.parse(address)
      return (
        url?.protocol === "https:" ||
        (url?.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))
      )
    },
    { message: "must be an https: address, such as https://login.example.com" }
  )
)

/** Tesseract's names of languages, separated by commas or pluses. */
export const languages = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z_]{2,30}([+,] ?[a-z][a-z_]{2,30})*$/iu, {
    message: "must be names of languages, such as eng,deu"
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
