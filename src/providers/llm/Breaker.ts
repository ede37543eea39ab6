/** A circuit breaker: closed while all is well, open while nothing may be asked, half open while one request tries. */
export type Breaker =
  | { readonly state: "closed"; readonly failures: number }
  | { readonly state: "open"; readonly until: number }
  | { readonly state: "half-open" }

/** Number of failures in a row that open it. */
const mostFailures = 10
/** So long it stays open, in milliseconds. */
const openMs = 30_000

/** A breaker at the start. */
export const closed: Breaker = { state: "closed", failures: 0 }

/** Whether a request may be made at the time `now` (milliseconds), and the breaker after that. */
export const admit = (breaker: Breaker, now: number): readonly [admitted: boolean, next: Breaker] => {
  if (breaker.state === "closed") return [true, breaker]
  return breaker.state === "open" && now >= breaker.until ? [true, { state: "half-open" }] : [false, breaker]
}

/** The provider answered, whatever it said. */
export const succeeded = (): Breaker => closed

/** The provider did not answer as one that is well. */
export const failed = (breaker: Breaker, now: number): Breaker => {
  if (breaker.state === "open") return breaker
  const failures = breaker.state === "closed" ? breaker.failures + 1 : mostFailures
  return failures >= mostFailures ? { state: "open", until: now + openMs } : { state: "closed", failures }
}

/** A request was given up before it ended: where it was the one that tried, the next one may. */
export const abandoned = (breaker: Breaker, now: number): Breaker =>
  breaker.state === "half-open" ? { state: "open", until: now } : breaker
