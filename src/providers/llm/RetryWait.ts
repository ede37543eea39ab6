import { DateTime, Duration, Effect, Option, Random } from "effect"
import { parseRetryAfter } from "../../support/RetryAfter.ts"
import type { CallFailure } from "./CallFailure.ts"

/** How often, and after which waits, a request is repeated. */
export interface RetryPolicy {
  /** The maximum number of attempts. */
  readonly attempts: number
  /** The maximum number of timeouts. */
  readonly timeouts: number
  /** The longest wait after the first attempt; it doubles with each further one. */
  readonly first: Duration.Duration
  /** The longest wait. */
  readonly longest: Duration.Duration
  /** The longest wait that a provider can ask for. */
  readonly longestAsked: Duration.Duration
}

/** The policy of the service. */
export const defaultRetries: RetryPolicy = {
  attempts: 6,
  timeouts: 3,
  first: Duration.seconds(1),
  longest: Duration.seconds(20),
  longestAsked: Duration.seconds(60)
}

/**
 * Exponential backoff with full jitter: a random time up to the maximum, so that requests that failed together spread
 * out.
 */
export const backoff = (policy: RetryPolicy, attemptsMade: number): Effect.Effect<Duration.Duration> => {
  const longest = Duration.min(Duration.times(policy.first, 2 ** (attemptsMade - 1)), policy.longest)
  return Effect.map(Random.next, (part) => Duration.times(longest, part))
}

/** The wait that the provider asks for; never longer than the policy allows. */
export const askedWait = (policy: RetryPolicy, failure: CallFailure): Effect.Effect<Duration.Duration> =>
  Effect.map(DateTime.now, (now) =>
    Duration.min(
      Option.getOrElse(parseRetryAfter(failure.retryAfter, now), () => Duration.zero),
      policy.longestAsked
    )
  )
