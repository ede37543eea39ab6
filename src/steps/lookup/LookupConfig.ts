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
  Schema.isPattern(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/u, { message: "This is not the name of a header." })
)

const HeaderValue = Schema.Union([
  Schema.String.check(
    Schema.isPattern(/^[\t -~]*$/u, { message: "A header is one line of plain ASCII text." })
  ),
  Schema.Struct({
    secret: Schema.String.check(
      Schema.isPattern(/^[A-Z][A-Z0-9_]*$/u, { message: "The name of a secret is like CRM_TOKEN." })
    ).annotate(
      describe(
        "The value is read from the environment variable DOCFLOW_SECRET_<secret>; it is never logged or kept."
      )
    ),
    prefix: Schema.optionalKey(
      Schema.String.check(
        Schema.isPattern(/^[\t -~]*$/u, { message: "A header is one line of plain ASCII text." })
      ).annotate(describe('What stands before it, like "Bearer ".'))
    )
  })
])

/** What a `lookup` step is given. */
export const LookupConfig = Schema.Struct({
  url: Schema.String.annotate(
    describe(
      "Where to ask: an https: address on a public host. `{name}` in its path stands for a value of `path`."
    )
  ),
  path: Schema.Record(Schema.String, Inserted)
    .annotate(describe("The values for the places in the path; they are escaped."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  query: Schema.Record(Schema.String, Schema.NullOr(Inserted))
    .annotate(describe("What stands after the question mark; escaped, and left out where it is null."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  method: Schema.Literals(["GET", "POST"])
    .annotate(describe("GET (what holds without it), or POST with `body`."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("GET" as const))),
  headers: Schema.Record(HeaderName, HeaderValue)
    .annotate(describe("Headers: each a text, or the name of a secret."))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  body: Schema.optionalKey(Schema.Unknown.annotate(describe("What is posted, as JSON."))),
  expect: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate(
      describe(
        "The JSON Schema of the answer: later steps see its type, and an answer that does not fit fails the step."
      )
    )
  ),
  notFound: Schema.Literals(["fail", "null"])
    .annotate(
      describe(
        "What the answers 404 and 410 mean: fail (what holds without it), or null, which makes `body` null."
      )
    )
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("fail" as const))),
  timeout: Schema.String.annotate(
    describe("So long the answer may take, 10s without it and 60s at most; after that the provider failed.")
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed("10s")))
})

/** These say something about the connection, which is not the flow's business. */
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

/** What is wrong with a lookup beyond its schema. */
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
  if (reason !== undefined) return [{ path: ["url"], message: `Nothing can be asked there: ${reason}.` }]
  const { hash, search } = new URL(filled)
  if (search !== "" || hash !== "" || url.includes("?") || url.includes("#"))
    return [
      { path: ["url"], message: "The url ends with its path.", suggestion: "Write the rest as `query`." }
    ]
  const [, origin = ""] = /^([^/]*\/\/[^/]*)/u.exec(url) ?? []
  if (origin.includes("{")) return [{ path: ["url"], message: "Only the path may have places for values." }]
  const given = Predicate.isObject(path) ? Object.keys(path) : []
  const places = placeholdersOf(url)
  return [
    ...places
      .filter((name) => !given.includes(name))
      .map((name) => ({
        path: ["url"],
        message: `There is no value for {${name}}.`,
        suggestion: `Add \`path: { ${name}: … }\`.`
      })),
    ...given
      .filter((name) => !places.includes(name))
      .map((name) => ({ path: ["path", name], message: `The url has no place {${name}}.` }))
  ]
}

const timeoutProblems = (timeout: string): ReadonlyArray<ConfigProblem> => {
  const duration = Option.getOrUndefined(parseDuration(timeout))
  if (duration === undefined)
    return [
      { path: ["timeout"], message: 'A duration is a number and one of ms, s, m, h, like "500ms" or "2m".' }
    ]
  return millisOf(timeout) > longestMs || millisOf(timeout) <= 0
    ? [{ path: ["timeout"], message: "A lookup may take 60s at most." }]
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
