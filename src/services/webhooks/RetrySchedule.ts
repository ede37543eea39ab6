import { Duration, Option } from "effect"
import { hash } from "node:crypto"

/** The nominal waits after the first, second … attempt, and in which direction a delivery's deviation shifts each. */
const waits = [
  { wait: Duration.seconds(5), direction: 1 },
  { wait: Duration.minutes(5), direction: -1 },
  { wait: Duration.minutes(30), direction: 1 },
  { wait: Duration.hours(2), direction: -1 },
  { wait: Duration.hours(5), direction: 1 },
  { wait: Duration.hours(10), direction: 1 },
  { wait: Duration.hours(14), direction: -1 },
  { wait: Duration.hours(20), direction: -1 },
  { wait: Duration.hours(24), direction: 1 }
] as const

/** The maximum deviation of a wait from its nominal length. */
const jitter = 0.2
/** The longest wait that a receiver can ask for: the longest of the schedule. */
const longestRetryAfter = Duration.hours(24)

/** The number of attempts of a delivery. */
export const maxAttempts = waits.length + 1

/**
 * The wait after a number of failed attempts; none if there is no further attempt.
 *
 * Deliveries that fail together must not all come back together, so each has its own deviation of up to a fifth. Its
 * long waits deviate in opposite directions and cancel out: the last attempt is never made before 74 hours have passed,
 * so that a receiver that is down for three days is reached.
 */
export const waitAfter = (
  deliveryId: string,
  attemptsMade: number,
  retryAfter: Option.Option<Duration.Duration>
): Option.Option<Duration.Duration> => {
  const step = waits[attemptsMade - 1]
  if (step === undefined) return Option.none()
  const scheduled = Duration.times(step.wait, 1 + jitter * step.direction * deviationOf(deliveryId))
  const asked = Duration.min(
    Option.getOrElse(retryAfter, () => Duration.zero),
    longestRetryAfter
  )
  return Option.some(Duration.max(scheduled, asked))
}

/** The deviation of a delivery: uniform between -1 and 1, and the same in every process. */
const deviationOf = (deliveryId: string): number =>
  (hash("sha256", deliveryId, "buffer").readUInt32BE() / 0xffff_ffff) * 2 - 1
