import { DateTime, Duration, Effect, Option, Random } from "effect"
import { parseRetryAfter } from "../../domain/RetryAfter.ts"
import type { CallFailure } from "./CallFailure.ts"

/** How often and after which waits a request is made again. */
export interface RetryPolicy {
  /** How often it is made at most. */
  readonly attempts: number
  /** How often it may run into its time limit. */
  readonly timeouts: number
  /** The longest wait after the first attempt; it doubles with each further one. */
  readonly first: Duration.Duration
  /** The longest wait at all. */
  readonly longest: Duration.Duration
  /** A provider cannot put a request off for longer than this. */
  readonly longestAsked: Duration.Duration
}

/** What a service uses. */
export const defaultRetries: RetryPolicy = {
  attempts: 6,
  timeouts: 3,
  first: Duration.seconds(1),
  longest: Duration.seconds(20),
  longestAsked: Duration.seconds(60)
}

/** Exponential backoff with full jitter: anything between nothing and the longest wait, so that requests that failed together spread out. */
export const backoff = (policy: RetryPolicy, attemptsMade: number): Effect.Effect<Duration.Duration> => {
  const longest = Duration.min(Duration.times(policy.first, 2 ** (attemptsMade - 1)), policy.longest)
  return Effect.map(Random.next, (part) => Duration.times(longest, part))
}

/** How long the provider asks to be left alone; never longer than the policy allows. */
export const askedWait = (policy: RetryPolicy, failure: CallFailure): Effect.Effect<Duration.Duration> =>
  Effect.map(DateTime.now, (now) =>
    Duration.min(
      Option.getOrElse(parseRetryAfter(failure.retryAfter, now), () => Duration.zero),
      policy.longestAsked
    )
  )
