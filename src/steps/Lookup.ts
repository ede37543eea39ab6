import { Effect, Result, Schema, UndefinedOr } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { Outbound, type OutboundHeader } from "../providers/outbound/Outbound.ts"
import { fillAddress } from "./lookup/LookupAddress.ts"
import { LookupFailed, LookupRefused } from "./lookup/LookupFailures.ts"
import { LookupConfig, lookupProblems, millisOf } from "./lookup/LookupConfig.ts"
import { answerType, readAnswer } from "./lookup/ReadLookupAnswer.ts"
import { defined } from "../support/Defined.ts"

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
