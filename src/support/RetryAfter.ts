import { DateTime, Duration, Option } from "effect"

/** Reads `Retry-After`: seconds or an HTTP date (RFC 9110, section 10.2.3). */
export const parseRetryAfter = (
  header: string | undefined,
  now: DateTime.Utc
): Option.Option<Duration.Duration> => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/u.test(text)) return Option.some(Duration.seconds(Number(text)))
  if (!/^[A-Z][a-z]{2}.* GMT$/u.test(text)) return Option.none()
  return Option.map(DateTime.make(text), (at) =>
    Duration.millis(Math.max(0, at.epochMilliseconds - now.epochMilliseconds))
  )
}
