import { Duration, Effect, Option, Predicate, Result, Schema } from "effect"
import { compileJsonSchema } from "../../../dsl/model/Ajv.ts"
import type { ConfigProblem } from "../../../dsl/model/StepKind.ts"
import { parseDuration } from "../../../dsl/model/Words.ts"
import { problemWithUrl } from "../../providers/outbound/TargetPolicy.ts"
import { placeholdersOf } from "./LookupAddress.ts"

const describe = (description: string) => ({ description })
const longestMs = 60_000

const Inserted = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])

const HeaderName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/u, { message: "Invalid header name." })
)

const HeaderValue = Schema.Union([
  Schema.String.check(
    Schema.isPattern(/^[\t -~]*$/u, { message: "A header value must be one line of ASCII text." })
  ),
  Schema.Struct({
    secret: Schema.String.check(
      Schema.isPattern(/^[A-Z][A-Z0-9_]*$/u, { message: "The name of a secret must look like CRM_TOKEN." })
    ).annotate(
      describe(
        "Name of a secret. Its value is read from the environment variable DOCFLOW_SECRET_<secret> and sent only to the hosts in DOCFLOW_HOSTS_<secret>; it is never logged or stored."
      )
    ),
    prefix: Schema.optionalKey(
      Schema.String.check(
        Schema.isPattern(/^[\t -~]*$/u, { message: "A header value must be one line of ASCII text." })
      ).annotate(describe('Prefix of the value, like "Bearer ".'))
    )
  })
])

/** The configuration of a `lookup` step. */
export const LookupConfig = Schema.Struct({
  url: Schema.String.annotate(
    describe(
      "URL to request: https, on a public host. `{name}` in its path is replaced by a value of `path`."
    )
  ),
  path: Schema.Record(Schema.String, Inserted)
    .annotate(describe("Values for the placeholders in the path. They are escaped."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  query: Schema.Record(Schema.String, Schema.NullOr(Inserted))
    .annotate(describe("Query parameters. They are escaped; null values are omitted."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  method: Schema.Literals(["GET", "POST"])
    .annotate(describe("HTTP method. Default: GET."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("GET" as const))),
  headers: Schema.Record(HeaderName, HeaderValue)
    .annotate(describe("Request headers: strings or secrets."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  body: Schema.optionalKey(Schema.Unknown.annotate(describe("JSON body of a POST."))),
  expect: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate(
      describe(
        "JSON Schema of the response. It types the output for later steps; a response that does not match fails the step."
      )
    )
  ),
  notFound: Schema.Literals(["fail", "null"])
    .annotate(
      describe(
        "What to do about the statuses 404 and 410: `fail` the step, or set `body` to `null`. Default: fail."
      )
    )
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("fail" as const))),
  timeout: Schema.String.annotate(describe("Time limit of the request, up to 60s. Default: 10s.")).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("10s"))
  )
})

/** Headers about the connection, which flows must not set. */
const reserved = new Set([
  "host",
  "connection",
  "content-length",
  "content-type",
  "transfer-encoding",
  "expect",
  "upgrade",
  "te",
  "trailer",
  "keep-alive",
  "proxy-authorization",
  "idempotency-key",
  "accept-encoding"
])

/** Problems of a lookup that its schema does not find. */
export const lookupProblems = (config: unknown): ReadonlyArray<ConfigProblem> => {
  const { body, expect, headers, method, path, timeout, url } = partsOf(config)
  return [
    ...(Predicate.isString(url) ? urlProblems(url, path) : []),
    ...(Predicate.isObject(headers) ? Object.keys(headers) : [])
      .filter((name) => reserved.has(name.toLowerCase()))
      .map((name) => ({ path: ["headers", name], message: `docflow sets the header "${name}" itself.` })),
    ...(body !== undefined && method !== "POST"
      ? [{ path: ["body"], message: "Only POST sends a body.", suggestion: "Add `method: POST`." }]
      : []),
    ...(Predicate.isString(timeout) ? timeoutProblems(timeout) : []),
    ...(Predicate.isObject(expect) ? expectProblems({ ...expect }) : [])
  ]
}

const partsOf = (config: unknown): { readonly [name: string]: unknown } =>
  Predicate.isObject(config) ? { ...config } : {}

const urlProblems = (url: string, path: unknown): ReadonlyArray<ConfigProblem> => {
  const filled = url.replace(/\{[^{}]*\}/gu, "x")
  const reason = problemWithUrl(filled, "test")
  if (reason !== undefined)
    return [{ path: ["url"], message: `This address cannot be requested: ${reason}.` }]
  const { hash, search } = new URL(filled)
  if (search !== "" || hash !== "" || url.includes("?") || url.includes("#"))
    return [
      {
        path: ["url"],
        message: "The url must end with its path.",
        suggestion: "Put query parameters into `query`."
      }
    ]
  const [, origin = ""] = /^([^/]*\/\/[^/]*)/u.exec(url) ?? []
  if (origin.includes("{")) return [{ path: ["url"], message: "Placeholders are allowed only in the path." }]
  const given = Predicate.isObject(path) ? Object.keys(path) : []
  const places = placeholdersOf(url)
  return [
    ...places
      .filter((name) => !given.includes(name))
      .map((name) => ({
        path: ["url"],
        message: `Missing value for {${name}}.`,
        suggestion: `Add \`path: { ${name}: … }\`.`
      })),
    ...given
      .filter((name) => !places.includes(name))
      .map((name) => ({ path: ["path", name], message: `The url has no placeholder {${name}}.` }))
  ]
}

const timeoutProblems = (timeout: string): ReadonlyArray<ConfigProblem> => {
  const duration = Option.getOrUndefined(parseDuration(timeout))
  if (duration === undefined)
    return [
      {
        path: ["timeout"],
        message: 'A duration is a number followed by ms, s, m or h, like "500ms" or "2m".'
      }
    ]
  return millisOf(timeout) > longestMs || millisOf(timeout) <= 0
    ? [{ path: ["timeout"], message: "The maximum timeout of a lookup is 60s." }]
    : []
}

/** The milliseconds of a checked duration. */
export const millisOf = (timeout: string): number =>
  Option.match(parseDuration(timeout), { onNone: () => longestMs, onSome: Duration.toMillis })

const expectProblems = (expect: { readonly [keyword: string]: unknown }): ReadonlyArray<ConfigProblem> => {
  const compiled = compileJsonSchema(expect)
  return Result.isSuccess(compiled)
    ? []
    : compiled.failure.map(({ message, path }) => ({ path: ["expect", ...path], message }))
}
