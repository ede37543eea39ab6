import { Clock, Context, DateTime, Duration, Effect, Layer, type Option, Schema } from "effect"
import type { Environment } from "../../domain/Organization.ts"
import { parseRetryAfter } from "../../support/RetryAfter.ts"
import { Outbound } from "../../providers/outbound/Outbound.ts"

/** The time limit of an attempt, from name resolution to the end of the response. */
const attemptTime = Duration.seconds(15)
/** The maximum size of a response that is read before the connection is closed, in bytes. */
const maxAnswerBytes = 64 * 1024

/** The receiver did not respond; the reason contains nothing that it sent. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", { reason: Schema.String }) {}

/** The response of a receiver. */
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
      const outbound = yield* Outbound

      const begin = (post: Post) =>
        outbound.send({ ...post, method: "POST" }).pipe(
          Effect.mapError(({ reason }) => new NoAnswer({ reason })),
          Effect.timeoutOrElse({
            duration: attemptTime,
            orElse: () => new NoAnswer({ reason: `no answer within ${Duration.format(attemptTime)}` })
          })
        )

      const post = Effect.fn("WebhookSender.post")(function* (post: Post) {
        const startedAt = yield* Clock.currentTimeMillis
        const answer = yield* begin(post)
        // The status has decided; the rest is only read so that the receiver can finish its response.
        const left = Duration.toMillis(attemptTime) - ((yield* Clock.currentTimeMillis) - startedAt)
        yield* Effect.ignore(Effect.timeoutOption(answer.read(maxAnswerBytes), Math.max(0, left)))
        return {
          status: answer.status,
          retryAfter: parseRetryAfter(answer.headers["retry-after"], yield* DateTime.now)
        }
      }, Effect.scoped)

      return WebhookSender.of({ post })
    })
  )
}
