import { Clock, Context, DateTime, Duration, Effect, Layer, type Option, Schema } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { Resolver } from "./Resolver.ts"
import type { Environment } from "../domain/Organization.ts"
import { parseRetryAfter } from "./RetrySchedule.ts"
import { type Target, targetOf } from "./Target.ts"

/** So long an attempt may take, from looking up the name to the end of the answer. */
const attemptTime = Duration.seconds(15)
/** So much of an answer is read before the connection is closed, in bytes. */
const maxAnswerBytes = 64 * 1024

/** The receiver gave no answer; the reason holds nothing of what it sent. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", { reason: Schema.String }) {}

/** What a receiver answered. */
export interface Answer {
  readonly status: number
  readonly retryAfter: Option.Option<Duration.Duration>
}

/** One webhook to post. */
export interface Post {
  readonly url: string
  readonly environment: Environment
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

/** Posts webhooks: to allowed addresses only, without following redirects, in bounded time and memory. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { post(post: Post): Effect.Effect<Answer, NoAnswer> }
>()("docflow/Webhooks/WebhookSender") {
  static readonly layer = Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const resolver = yield* Resolver
      const post = Effect.fn("WebhookSender.post")(
        function* (post: Post) {
          const startedAt = yield* Clock.currentTimeMillis
          return yield* Effect.scoped(
            Effect.gen(function* () {
              const response = yield* beginAnswer(post).pipe(
                Effect.timeoutOrElse({
                  duration: attemptTime,
                  orElse: () => new NoAnswer({ reason: `no answer within ${Duration.format(attemptTime)}` })
                })
              )
              // The status has decided; the rest is only read so that the receiver sees its answer arrive.
              const left = Duration.toMillis(attemptTime) - ((yield* Clock.currentTimeMillis) - startedAt)
              yield* Effect.timeoutOption(drain(response), Math.max(0, left))
              return {
                status: response.statusCode ?? 0,
                retryAfter: parseRetryAfter(response.headers["retry-after"], yield* DateTime.now)
              }
            })
          )
        },
        Effect.provideService(Resolver, resolver)
      )
      return WebhookSender.of({ post })
    })
  )
}

const beginAnswer = Effect.fnUntraced(function* (post: Post) {
  const target = yield* Effect.catchTag(
    targetOf(post.url, post.environment),
    "TargetRefused",
    ({ reason }) => new NoAnswer({ reason })
  )
  const request = yield* Effect.acquireRelease(
    Effect.sync(() => open(target, post)),
    (request) => Effect.sync(() => request.destroy())
  )
  return yield* Effect.callback<Http.IncomingMessage, NoAnswer>((resume) => {
    request.once("response", (response) => resume(Effect.succeed(response)))
    request.once("error", (error) => resume(new NoAnswer({ reason: describe(error) })))
    request.end(post.body)
  })
})

const open = (target: Target, post: Post): Http.ClientRequest => {
  const { host, lookup, url } = target
  const options: Https.RequestOptions = {
    method: "POST",
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    lookup,
    // A connection of its own: none that was opened under an earlier answer of the name server is used again.
    agent: false,
    maxHeaderSize: 16 * 1024,
    headers: { ...post.headers, Host: url.host, "Content-Length": String(post.body.length) }
  }
  const request = url.protocol === "https:" ? Https.request(options) : Http.request(options)
  // It may still fail when its answer is complete or nobody waits for it any more.
  request.on("error", () => undefined)
  return request
}

/** Reads the answer to its end, or to the limit. */
const drain = (response: Http.IncomingMessage) =>
  Effect.callback<void>((resume) => {
    let bytes = 0
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes >= maxAnswerBytes) response.destroy()
    })
    response.once("error", () => resume(Effect.void))
    response.once("close", () => resume(Effect.void))
  })

/** A failure by its code: messages can hold what the receiver sent. */
const describe = (error: Error): string => {
  const code = "code" in error && typeof error.code === "string" ? error.code : "unknown"
  return `the connection failed (${code})`
}
