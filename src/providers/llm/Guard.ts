import { Clock, Duration, Effect, Exit, Option, Ref, Result } from "effect"
import * as Breaker from "./Breaker.ts"
import { CallFailure, final } from "./CallFailure.ts"
import { countAttempt, type Outcome } from "./LlmMetrics.ts"
import type { Held, ModelPlaces } from "./ModelPlaces.ts"
import { ModelRun } from "./ModelRun.ts"
import { askedWait, backoff, type RetryPolicy } from "./RetryWait.ts"

/** Options of a guard. */
export interface GuardOptions {
  /** The model, for messages: `ollama:llama3.2`. */
  readonly model: string
  /** Limits concurrent requests; shared by all models of a provider. */
  readonly places: ModelPlaces
  /** The time limit of an attempt, from when the provider can begin with it. */
  readonly timeLimit: Duration.Duration
  readonly retries: RetryPolicy
}

/** Makes attempts until one succeeds or another one would be pointless; `began` tells that the provider answers. */
export type Guard = <A>(
  attempt: (began: () => void) => Effect.Effect<A, CallFailure>
) => Effect.Effect<A, CallFailure>

/** Guards every request to a model: a place, a time limit, the breaker, and retries. */
export const makeGuard = Effect.fnUntraced(function* (options: GuardOptions) {
  const { model, places, retries, timeLimit } = options
  const breaker = yield* Ref.make(Breaker.closed)
  // Until when, in milliseconds, the provider asked to wait; applies to all requests, not only to the refused one.
  const quietUntil = yield* Ref.make(0)

  const enter = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const admitted = yield* Ref.modify(breaker, (state) => Breaker.admit(state, now))
    return admitted ? now : yield* breakerOpen
  })

  const leave = <A>(held: Held, startedAt: number, exit: Exit.Exit<A, CallFailure>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const failure = Exit.findErrorOption(exit)
      const outcome = outcomeOf(exit, failure)
      yield* countAttempt(model, outcome, now - startedAt)
      if (outcome === "answered") places.answered()
      if (outcome === "limited" || outcome === "timed-out") places.overloaded(held)
      yield* Ref.update(breaker, (state) => {
        const isUnasked = Option.isNone(failure) || failure.value.reason === "over-budget"
        if (Exit.isFailure(exit) && isUnasked) return Breaker.abandoned(state, now)
        return Option.isSome(failure) && failure.value.down ? Breaker.failed(state, now) : Breaker.succeeded()
      })
    })

  /** Fails when the provider has had its time for a request. */
  const watch = (held: Held): Effect.Effect<never, CallFailure> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const left = held.since + Duration.toMillis(timeLimit) - now
      return left > 0 ? Effect.andThen(Effect.sleep(left), watch(held)) : timedOut(timeLimit)
    })

  const once = <A>(attempt: (began: () => void) => Effect.Effect<A, CallFailure>) =>
    Effect.gen(function* () {
      const { organization } = yield* ModelRun
      const clock = yield* Clock.Clock
      return yield* places.use(organization, (held) =>
        Effect.acquireUseRelease(
          enter,
          () =>
            Effect.raceFirst(
              attempt(() => {
                held.since = clock.currentTimeMillisUnsafe()
              }),
              watch(held)
            ),
          (startedAt, exit) => leave(held, startedAt, exit)
        )
      )
    })

  const beQuiet = Effect.gen(function* () {
    const left = (yield* Ref.get(quietUntil)) - (yield* Clock.currentTimeMillis)
    if (left > 0) yield* Effect.sleep(left)
  })

  const guard: Guard = Effect.fnUntraced(function* <A>(
    attempt: (began: () => void) => Effect.Effect<A, CallFailure>
  ) {
    let timeouts = 0
    let last: CallFailure | undefined
    for (let made = 1; ; made++) {
      yield* beQuiet
      const result = yield* Effect.result(once(attempt))
      if (Result.isSuccess(result)) return result.success
      const { failure } = result
      // The original failure says more than the fact that the breaker opened meanwhile.
      if (failure.reason === "breaker-open") return yield* after(last ?? failure, made - 1)
      last = failure
      if (failure.reason === "timed-out") timeouts++
      if (!failure.again || made >= retries.attempts || timeouts >= retries.timeouts) {
        return yield* after(failure, made)
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
  "its circuit breaker is open for 30 seconds, after 10 failures in a row",
  "Run it again later, or check the provider"
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

const after = (failure: CallFailure, attempts: number): CallFailure =>
  attempts > 1
    ? new CallFailure({ ...failure, what: `${failure.what}, after ${attempts} attempts` })
    : failure
