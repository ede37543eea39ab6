import { Clock, Effect } from "effect"
import { type BodyRefused, refuseBody } from "./BodyRefused.ts"

/** A sender that is silent for this long is disconnected, before 10 s have passed; in milliseconds. */
const idle = 9_000
/**
 * The time for which a sender may be slow, in milliseconds; after that, it needs an average of `slowest` bytes a
 * second.
 */
const grace = 5_000
const slowest = 16 * 1024
/** How often the speed is checked, in milliseconds. */
const interval = 1_000

/** A body that is arriving. */
export interface ArrivingBody {
  readonly bytes: number
  /** The number of chunks. */
  readonly chunks: number
  /** Stops receiving it. */
  readonly refuse: (refusal: BodyRefused) => void
}

interface Watched {
  readonly begun: number
  /** When it had last grown, and the number of its chunks then. */
  heardAt: number
  chunks: number
  /** The number of checks in a row that found it slow. */
  slow: number
}

/**
 * The bodies that are arriving. One fiber looks at all of them, because a timer and a fiber of its own would cost a short body
 * more than receiving it.
 */
export class SlowSenders {
  readonly #bodies = new Map<ArrivingBody, Watched>()

  /** Watches a body from now on, in milliseconds since 1970. */
  watch(body: ArrivingBody, now: number): void {
    this.#bodies.set(body, { begun: now, heardAt: now, chunks: 0, slow: 0 })
  }

  /** It has arrived, or nobody wants it any more. */
  leave(body: ArrivingBody): void {
    this.#bodies.delete(body)
  }

  /** Refuses the bodies that are too slow, every second, for ever. */
  get refusing(): Effect.Effect<never> {
    return Effect.forever(
      Effect.delay(
        Effect.map(Clock.currentTimeMillis, (now) => this.#look(now)),
        interval
      )
    )
  }

  #look(now: number): void {
    for (const [body, watched] of this.#bodies) {
      const refusal = refusalOf(body, watched, now)
      if (refusal === undefined) continue
      this.leave(body)
      body.refuse(refusal)
    }
  }
}

/** Two checks in a row must find that it is slow, because a busy process may not have read what was sent. */
const refusalOf = (body: ArrivingBody, watched: Watched, now: number): BodyRefused | undefined => {
  if (body.chunks !== watched.chunks) watched.heardAt = now
  watched.chunks = body.chunks
  if (now - watched.heardAt >= idle) {
    return refuseBody(408, `No data of the body arrived for ${idle / 1000} seconds`)
  }
  const isSlow = now - watched.begun >= grace && body.bytes < (slowest * (now - watched.begun)) / 1000
  watched.slow = isSlow ? watched.slow + 1 : 0
  return watched.slow < 2
    ? undefined
    : refuseBody(408, `The body arrives too slowly; the minimum is ${slowest / 1024} KB a second`)
}
