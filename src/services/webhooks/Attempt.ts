import {
  Clock,
  Context,
  DateTime,
  type Duration,
  Effect,
  Layer,
  Metric,
  Option,
  Redacted,
  Schedule
} from "effect"
import { describeDefect } from "../../engine/program/FlowFailure.ts"
import { type AttemptResult, type Claimed, DeliveryStore, type Verdict } from "./DeliveryStore.ts"
import { maxAttempts, waitAfter } from "./RetrySchedule.ts"
import type { Execution } from "../../domain/Execution.ts"
import { ReportedCorrections } from "./ReportedCorrections.ts"
import { SealedSecrets } from "../storage/SealedSecrets.ts"
import { WebhookSender } from "./WebhookSender.ts"
import type { WebhookEvent } from "../../domain/Delivery.ts"
import { createHmac } from "node:crypto"

/** The signed content of one attempt. */
interface Signable {
  /** The delivery's id, the same in every attempt. */
  readonly id: string
  /** The time of this attempt. */
  readonly at: Date
  readonly body: Uint8Array
}

/** Canonical base64, as the Standard Webhooks libraries read a secret. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u
const prefix = "whsec_"

/**
 * The headers that identify an attempt, and sign it if there is a secret:
 *
 * - `X-Service-Signature: sha256=<hex>`, HMAC-SHA-256 over the body, keyed with the secret's UTF-8 bytes;
 * - `webhook-signature` of Standard Webhooks, over `<id>.<timestamp>.<body>`. A secret can be read in two ways there, as
 *   text and, where it is base64 with or without `whsec_`, as the bytes it stands for: there is a signature for each.
 */
export const attemptHeaders = (
  { at, body, id }: Signable,
  secret: Redacted.Redacted | undefined
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const identity = { "webhook-id": id, "webhook-timestamp": timestamp }
  if (secret === undefined) return identity
  const text = Redacted.value(secret)
  const sign = (key: Buffer) =>
    `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`
  return {
    ...identity,
    "webhook-signature": keysOf(text).map(sign).join(" "),
    "X-Service-Signature": `sha256=${createHmac("sha256", text).update(body).digest("hex")}`
  }
}

const keysOf = (secret: string): ReadonlyArray<Buffer> => {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const decoded = base64.test(encoded) ? Buffer.from(encoded, "base64") : Buffer.alloc(0)
  const text = Buffer.from(secret, "utf8")
  return decoded.length === 0 ? [text] : [text, decoded]
}

/** The size above which a body omits the output, in bytes. */
const maxBytes = 1024 * 1024

/**
 * The body of a webhook: the event and the execution as `GET /runs/{id}` returns it. `at` is when the attempt is made, so
 * that receivers can refuse a body that is replayed to them later. Where the body would be larger than 1 MiB, the output
 * is left out, as are the corrections, and `data.outputOmitted` says so; `GET /runs/{id}` has them.
 */
export const webhookBody = (event: WebhookEvent, execution: Execution, at: Date): Buffer => {
  const encode = (data: object) =>
    Buffer.from(JSON.stringify({ type: event, event, timestamp: at.toISOString(), data }), "utf8")
  const whole = encode(execution)
  if (whole.length <= maxBytes) return whole
  const { corrections: _corrections, output: _output, ...rest } = execution
  return encode({ ...rest, outputOmitted: true })
}

const attempts = Metric.counter("webhook_attempts_total", {
  description:
    "Attempts to deliver webhooks, by what became of them: delivered, retry, failed or handed back.",
  incremental: true
})
const verdictNames = {
  Delivered: "delivered",
  Failed: "failed",
  HandedBack: "handed back",
  Retry: "retry"
} as const satisfies Record<Verdict["_tag"], string>

/** An attempt without a response; `final` also ends the delivery. */
interface Unanswered {
  readonly error: string
  readonly final?: boolean
}

interface Answered {
  readonly status: number
  readonly retryAfter: Option.Option<Duration.Duration>
}

/** Makes one attempt of a claimed delivery and records the result. */
export class Attempt extends Context.Service<Attempt, { make(claimed: Claimed): Effect.Effect<void> }>()(
  "docflow/Webhooks/Attempt"
) {
  static readonly layer = Layer.effect(
    Attempt,
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const sender = yield* WebhookSender
      const secrets = yield* SealedSecrets
      const corrections = yield* ReportedCorrections

      /** The secret to sign with; undefined if the caller gave none. */
      const secretOf = Effect.fnUntraced(function* (claimed: Claimed) {
        if (claimed.webhook_secret === null) return Option.some<Redacted.Redacted | undefined>(undefined)
        return yield* secrets.open(claimed.webhook_secret)
      })

      /** What the event reports: of saved corrections, all that hold now. Undefined: they cannot be read now. */
      const withCorrections = Effect.fnUntraced(
        function* ({ environment, event, organization_id }: Claimed, execution: Execution) {
          if (event !== "corrections.saved") return execution
          const { id } = execution
          const saved = yield* corrections.find({ id, organizationId: organization_id, environment })
          return { ...execution, corrections: saved }
        },
        Effect.tapError((error) =>
          Effect.logWarning("Reading corrections for a webhook failed", error.message)
        ),
        Effect.orElseSucceed(() => undefined)
      )

      const hand = Effect.fnUntraced(function* (claimed: Claimed, at: Date) {
        if (claimed.erased) return { error: "the execution was erased", final: true } satisfies Unanswered
        const secret = yield* secretOf(claimed)
        // Never sent unsigned instead: a receiver would rightly refuse it.
        if (Option.isNone(secret)) return { error: "the webhook secret cannot be read" } satisfies Unanswered
        const execution = yield* store.execution(claimed)
        if (execution === undefined)
          return { error: "the execution no longer exists", final: true } satisfies Unanswered
        const reported = yield* withCorrections(claimed, execution)
        if (reported === undefined) return { error: "the corrections cannot be read" } satisfies Unanswered
        const body = webhookBody(claimed.event, reported, at)
        const answer = yield* sender.post({
          url: claimed.url,
          environment: claimed.environment,
          headers: {
            "Content-Type": "application/json",
            "User-Agent": "docflow-webhooks/1",
            ...attemptHeaders({ id: claimed.id, at, body }, secret.value)
          },
          body
        })
        return answer satisfies Answered
      })

      const make = Effect.fn("Webhooks.attempt")(
        function* (claimed: Claimed) {
          const at = yield* DateTime.now
          const ended = (outcome: Answered | Unanswered, verdict: (now: DateTime.Utc) => Verdict) =>
            Effect.gen(function* () {
              const durationMs = (yield* Clock.currentTimeMillis) - at.epochMilliseconds
              const result = { at, durationMs, ...logged(outcome) } satisfies AttemptResult
              const decided = verdict(yield* DateTime.now)
              yield* store.finish(claimed, result, decided)
              yield* Metric.update(
                Metric.withAttributes(attempts, { verdict: verdictNames[decided._tag] }),
                1
              )
            }).pipe(Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 4 }))

          const attempted = hand(claimed, DateTime.toDateUtc(at)).pipe(
            Effect.catchTag("NoAnswer", ({ reason }) => Effect.succeed({ error: reason })),
            Effect.catchTag("SqlError", () => Effect.succeed({ error: "the database failed" })),
            Effect.catchDefect((defect) =>
              Effect.as(Effect.logError("A webhook attempt died", describeDefect(defect)), {
                error: "an unexpected error"
              })
            )
          )
          // A result is always recorded, even while the process stops.
          yield* Effect.uninterruptibleMask((restore) =>
            restore(attempted).pipe(
              Effect.onInterrupt(() =>
                Effect.ignore(ended({ error: "the process stopped" }, () => ({ _tag: "HandedBack" })))
              ),
              Effect.flatMap((outcome) => ended(outcome, (now) => verdictOn(claimed, outcome, now)))
            )
          )
        },
        // Nothing is recorded, so the lease expires and the attempt is made again.
        (effect, claimed) =>
          effect.pipe(
            Effect.catch((error) =>
              Effect.logWarning("The result of a webhook attempt was not saved", error.message)
            ),
            Effect.annotateLogs({ deliveryId: claimed.id, executionId: claimed.execution_id })
          )
      )

      return Attempt.of({ make })
    })
  )
}

const logged = (outcome: Answered | Unanswered): Pick<AttemptResult, "error" | "status"> => {
  if ("error" in outcome) return { status: undefined, error: outcome.error }
  return { status: outcome.status, error: problemWith(outcome.status) }
}

const problemWith = (status: number): string | undefined => {
  if (isSuccess(status)) return undefined
  if (status === 410) return "the receiver answered 410 Gone"
  return status >= 300 && status < 400 ? "redirects are not followed" : `the receiver answered ${status}`
}

const isSuccess = (status: number) => status >= 200 && status < 300

const verdictOn = (claimed: Claimed, outcome: Answered | Unanswered, now: DateTime.Utc): Verdict => {
  const answered = "status" in outcome
  if (answered && isSuccess(outcome.status)) return { _tag: "Delivered" }
  if (answered ? outcome.status === 410 : outcome.final === true) return { _tag: "Failed" }
  const made = Math.min(claimed.attempts_made + 1, maxAttempts)
  const wait = waitAfter(claimed.id, made, answered ? outcome.retryAfter : Option.none())
  return Option.isNone(wait)
    ? { _tag: "Failed" }
    : { _tag: "Retry", at: DateTime.addDuration(now, wait.value) }
}
