/** A circuit breaker: closed in normal operation, open while requests are refused, half open during one trial request. */
export type Breaker =
  | { readonly state: "closed"; readonly failures: number }
  | { readonly state: "open"; readonly until: number }
  | { readonly state: "half-open" }

/** The number of consecutive failures that open it. */
const mostFailures = 10
/** How long it stays open, in milliseconds. */
const openMs = 30_000

/** The initial state of a breaker. */
export const closed: Breaker = { state: "closed", failures: 0 }

/** Whether a request may be made at the time `now` (milliseconds), and the breaker after that. */
export const admit = (breaker: Breaker, now: number): readonly [admitted: boolean, next: Breaker] => {
  if (breaker.state === "closed") return [true, breaker]
  return breaker.state === "open" && now >= breaker.until ? [true, { state: "half-open" }] : [false, breaker]
}

/** The state after an answer of the provider, whatever its content. */
export const succeeded = (): Breaker => closed

/** The state after a failure of the provider. */
export const failed = (breaker: Breaker, now: number): Breaker => {
  if (breaker.state === "open") return breaker
  const failures = breaker.state === "closed" ? breaker.failures + 1 : mostFailures
  return failures >= mostFailures ? { state: "open", until: now + openMs } : { state: "closed", failures }
}

/** The state after an interrupted request: if it was the trial, the next one may be. */
export const abandoned = (breaker: Breaker, now: number): Breaker =>
  breaker.state === "half-open" ? { state: "open", until: now } : breaker
