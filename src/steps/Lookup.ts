import { Effect, Predicate, Result, Schema, UndefinedOr } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { Outbound, type OutboundAnswer, type OutboundHeader } from "../providers/outbound/Outbound.ts"
import { fillAddress } from "./lookup/LookupAddress.ts"
import { LookupFailed, LookupRefused } from "./lookup/LookupFailures.ts"
import { LookupConfig, lookupProblems, millisOf } from "./lookup/LookupConfig.ts"
import { defined } from "../support/Defined.ts"
import { type CompareWithSchema, compileJsonSchema, pointerParts, reason } from "../../dsl/model/Ajv.ts"
import { isTooDeep } from "../support/JsonDepth.ts"

/** The maximum size of a response, in bytes. */
const mostBytes = 1024 * 1024

interface Expected {
  readonly expect?: { readonly [keyword: string]: unknown }
  readonly notFound: "fail" | "null"
}

/** Reads an answer: JSON or text, of the shape that was expected. `from` names the server in messages. */
const readAnswer = Effect.fnUntraced(function* (
  answer: OutboundAnswer,
  { expect, notFound }: Expected,
  from: string
) {
  const { status } = answer
  const failed = (what: string) => new LookupFailed({ message: `${from} ${what}.` })
  if (notFound === "null" && (status === 404 || status === 410)) return { status, body: null }
  if (status < 200 || status > 299) return yield* failed(described(status))
  const { bytes, isWhole } = yield* Effect.mapError(answer.read(mostBytes), () =>
    failed("broke off its answer")
  )
  if (!isWhole) return yield* failed("answered with more than 1 MB")
  const read = bodyOf(bytes, answer.headers["content-type"] ?? "")
  if (Result.isFailure(read)) return yield* failed(read.failure)
  const wrong = expect === undefined ? undefined : mismatch(expect, read.success)
  if (wrong !== undefined) return yield* failed(`returned an answer that does not match \`expect\`: ${wrong}`)
  return { status, body: read.success }
})

const described = (status: number): string =>
  status >= 300 && status <= 399
    ? `answered with the redirect ${status}, and redirects are not followed`
    : `answered with the status ${status}`

const bodyOf = (bytes: Uint8Array, contentType: string): Result.Result<unknown, string> => {
  const [type = ""] = contentType.toLowerCase().split(";")
  const mediaType = type.trim()
  if (bytes.length === 0) return Result.succeed(null)
  if (/^(?:application\/(?:[\w.+-]+\+)?json|text\/json)$/u.test(mediaType)) {
    return isTooDeep(bytes)
      ? Result.fail("answered with JSON that is nested too deeply")
      : Result.try({
          try: (): unknown => JSON.parse(new TextDecoder().decode(bytes)),
          catch: () => "answered with JSON that cannot be read"
        })
  }
  if (mediaType.startsWith("text/")) return Result.succeed(new TextDecoder().decode(bytes))
  return Result.fail("answered with neither JSON nor text")
}

const judges = new WeakMap<object, CompareWithSchema>()

const judgeOf = (expect: { readonly [keyword: string]: unknown }): CompareWithSchema | undefined => {
  const known = judges.get(expect)
  if (known !== undefined) return known
  const judge = Result.getOrUndefined(compileJsonSchema(expect))
  if (judge !== undefined) judges.set(expect, judge)
  return judge
}

/** A place in an answer: names that `expect` knows and indices; other names are the other side's and are not shown. */
const placeOf = (expect: { readonly [keyword: string]: unknown }, pointer: string): string => {
  const known = JSON.stringify(expect)
  const parts = pointerParts(pointer).map((part) =>
    /^\d+$/u.test(part) || known.includes(`${JSON.stringify(part)}:`) ? part : "*"
  )
  return parts.length === 0 ? "the answer" : `/${parts.join("/")}`
}

/** Where and how a response differs from `expect`, without its content. Fills in defaults. */
const mismatch = (expect: { readonly [keyword: string]: unknown }, body: unknown): string | undefined => {
  const judge = judgeOf(expect)
  if (judge === undefined) return "the schema cannot be used"
  const [error] = judge(body)
  return error && `${placeOf(expect, error.instancePath)} ${reason(error)}`
}

/** The output type of a lookup, by its `expect` and `notFound`. */
const answerType = (config: unknown) => {
  const expect =
    Predicate.hasProperty(config, "expect") && Predicate.isObject(config.expect) ? { ...config.expect } : {}
  const definitions = Predicate.hasProperty(expect, "$defs") ? { $defs: expect.$defs } : {}
  const mayBeNull = Predicate.hasProperty(config, "notFound") && config.notFound === "null"
  return {
    type: "object",
    required: ["status", "body"],
    properties: {
      status: { type: "integer" },
      body: mayBeNull ? { anyOf: [expect, { type: "null" }] } : expect
    },
    additionalProperties: false,
    ...definitions
  }
}

/** The output of a `lookup` step. */
export const LookupOutput = Schema.Struct({
  status: Schema.Int.annotate({ description: "Status of the HTTP response." }),
  body: Schema.Unknown.annotate({ description: "The response: JSON, or a string; null if it is empty." })
})

type Config = typeof LookupConfig.Type

const headersOf = ({ body, headers }: Config, idempotencyKey: string | undefined) => {
  const own: ReadonlyArray<readonly [string, OutboundHeader]> = Object.entries(headers).map(
    ([name, value]) => [
      name,
      typeof value === "string" ? value : { secret: value.secret, prefix: value.prefix ?? "" }
    ]
  )
  return {
    Accept: "application/json, text/*;q=0.5",
    "User-Agent": "docflow-lookup/1",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...defined({ "Idempotency-Key": idempotencyKey }),
    ...Object.fromEntries(own)
  }
}

/** The step kind `lookup`: sends a request to an external server. */
export const lookup = StepKind.make("lookup", {
  description:
    "Request JSON or text of up to 1 MB from another service over HTTPS. Only public addresses are allowed, and redirects are not followed; executions of test keys may also use http: and loopback addresses. A POST may be sent again after a crash, with the same Idempotency-Key.",
  example: `- id: customer
  uses: lookup
  with:
    url: https://crm.example.com/customers/{number}
    path: { number: C-1042 }
    headers: { Authorization: { secret: CRM_TOKEN, prefix: "Bearer " } }
    expect: { type: object, properties: { name: { type: string } }, required: [name] }`,
  config: LookupConfig,
  output: LookupOutput,
  errors: { LookupRefused: "EXECUTION_FAILED", LookupFailed: "PROVIDER_ERROR" },
  literal: ["url", "method", "headers", "expect", "notFound", "timeout"],
  problems: lookupProblems,
  outputType: answerType,
  run: Effect.fnUntraced(function* (config, { environment, executionId, path }) {
    const outbound = yield* Outbound
    const address = fillAddress(config.url, config.path, config.query)
    const server = URL.parse(config.url)?.origin ?? "the address"
    const refused = (reason: string) =>
      new LookupRefused({ message: `The request to ${server} was not sent: ${reason}.` })
    if (Result.isFailure(address)) return yield* refused(address.failure)
    const { body, expect, method, notFound, timeout } = config
    return yield* outbound
      .send({
        method,
        url: address.success,
        environment,
        headers: headersOf(config, method === "POST" ? `${executionId}/${path}` : undefined),
        ...defined({
          body: UndefinedOr.map(body, (value) => new TextEncoder().encode(JSON.stringify(value)))
        })
      })
      .pipe(
        Effect.mapError((error) =>
          error._tag === "OutboundRefused"
            ? refused(error.reason)
            : new LookupFailed({ message: `${server} did not answer: ${error.reason}.` })
        ),
        Effect.flatMap((answer) => readAnswer(answer, { notFound, ...defined({ expect }) }, server)),
        Effect.timeoutOrElse({
          duration: millisOf(timeout),
          orElse: () => new LookupFailed({ message: `${server} did not answer within ${timeout}.` })
        }),
        Effect.scoped
      )
  })
})
