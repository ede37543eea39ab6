import { Clock, Duration, Effect, Exit, Option, Ref, Result, type Semaphore } from "effect"
import { LlmFailure } from "./Llm.ts"
import * as Breaker from "./Breaker.ts"
import { CallFailure, final } from "./CallFailure.ts"
import { countAttempt, type Outcome } from "./LlmMetrics.ts"
import { askedWait, backoff, type RetryPolicy } from "./RetryWait.ts"

/** Options of a guard. */
export interface GuardOptions {
  /** The model, for messages: `ollama:llama3.2`. */
  readonly model: string
  /** Limits concurrent requests; shared by all models of a provider. */
  readonly slots: Semaphore.Semaphore
  /** The time limit of an attempt. */
  readonly timeLimit: Duration.Duration
  readonly retries: RetryPolicy
}

/** Makes attempts until one succeeds or another one would be pointless. */
export type Guard = <A>(attempt: Effect.Effect<A, CallFailure>) => Effect.Effect<A, LlmFailure>

/** Guards every request to a model: a slot, a time limit, the breaker, and retries. */
export const makeGuard = Effect.fnUntraced(function* (options: GuardOptions) {
  const { model, slots, retries, timeLimit } = options
  const breaker = yield* Ref.make(Breaker.closed)
  // Until when, in milliseconds, the provider asked to wait; applies to all requests, not only to the refused one.
  const quietUntil = yield* Ref.make(0)

  const enter = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const admitted = yield* Ref.modify(breaker, (state) => Breaker.admit(state, now))
    return admitted ? now : yield* breakerOpen
  })

  const leave = <A>(startedAt: number, exit: Exit.Exit<A, CallFailure>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const failure = Exit.findErrorOption(exit)
      yield* countAttempt(model, outcomeOf(exit, failure), now - startedAt)
      yield* Ref.update(breaker, (state) => {
        if (Exit.isFailure(exit) && Option.isNone(failure)) return Breaker.abandoned(state, now)
        return Option.isSome(failure) && failure.value.down ? Breaker.failed(state, now) : Breaker.succeeded()
      })
    })

  const once = <A>(attempt: Effect.Effect<A, CallFailure>) =>
    Effect.acquireUseRelease(
      enter,
      () => Effect.timeoutOrElse(attempt, { duration: timeLimit, orElse: () => timedOut(timeLimit) }),
      leave
    ).pipe(slots.withPermit)

  const beQuiet = Effect.gen(function* () {
    const left = (yield* Ref.get(quietUntil)) - (yield* Clock.currentTimeMillis)
    if (left > 0) yield* Effect.sleep(left)
  })

  const guard: Guard = Effect.fnUntraced(function* <A>(attempt: Effect.Effect<A, CallFailure>) {
    let timeouts = 0
    let last: CallFailure | undefined
    for (let made = 1; ; made++) {
      yield* beQuiet
      const result = yield* Effect.result(once(attempt))
      if (Result.isSuccess(result)) return result.success
      const { failure } = result
      // The original failure says more than the fact that the breaker opened meanwhile.
      if (failure.reason === "breaker-open") return yield* describe(model, last ?? failure, made - 1)
      last = failure
      if (failure.reason === "timed-out") timeouts++
      if (!failure.again || made >= retries.attempts || timeouts >= retries.timeouts) {
        return yield* describe(model, failure, made)
      }
      const asked = yield* askedWait(retries, failure)
      const now = yield* Clock.currentTimeMillis
      yield* Ref.update(quietUntil, (until) => Math.max(until, now + Duration.toMillis(asked)))
      yield* Effect.sleep(Duration.sum(asked, yield* backoff(retries, made)))
    }
  })
  return guard
})

const breakerOpen = final(
  "breaker-open",
  "it failed too often in a row and is left alone for 30 seconds",
  "Run it again in a while; if it stays so, look at the provider"
)

const timedOut = (limit: Duration.Duration): CallFailure =>
  new CallFailure({
    reason: "timed-out",
    what: `no whole answer came within ${Duration.format(limit)}`,
    todo: "Take a smaller model, or set DOCFLOW_LLM_TIMEOUT higher",
    again: true,
    down: true
  })

const outcomeOf = (exit: Exit.Exit<unknown, unknown>, failure: Option.Option<CallFailure>): Outcome => {
  if (Exit.isSuccess(exit)) return "answered"
  return Option.isSome(failure) ? failure.value.reason : "interrupted"
}

const describe = (model: string, { reason, todo, what }: CallFailure, attempts: number): LlmFailure =>
  new LlmFailure({
    reason,
    message: `${model}: ${what}${attempts > 1 ? `, after ${attempts} attempts` : ""}. ${todo}.`
  })
