import { Clock, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** The clocks of this machine and of the database differ. */
export class ClockDiffers extends Schema.TaggedError<ClockDiffers>()("ClockDiffers", {
  message: Schema.String
}) {}

/** In milliseconds. More is refused although times are the database's: certificates and signed requests need the machine's. */
const tolerated = 5_000
const comparedEvery = Duration.seconds(5)
const nanosPerMilli = 1_000_000

/** When the database told its time, in milliseconds since the epoch, and when it was asked and answered, by `monotonicTimeNanos`. */
interface Told {
  readonly at: number
  readonly asked: bigint
  readonly answered: bigint
}

/** Tells the database's time: what it told last, and what has passed since, whatever is done to the clock of the machine. */
export class SharedClock implements Clock.Clock {
  readonly #machine: Clock.Clock
  /** The database's time when the monotonic one was 0, in nanoseconds. */
  #origin: bigint

  constructor(machine: Clock.Clock, told: Told) {
    this.#machine = machine
    const { earliest, latest } = originsOf(told)
    this.#origin = (earliest + latest) / 2n
  }

  /** Follows what the database told, by no more than its answer proves. */
  follow(told: Told): void {
    const { earliest, latest } = originsOf(told)
    if (this.#origin < earliest) this.#origin = earliest
    if (this.#origin > latest) this.#origin = latest
  }

  /** What is wrong with the clock of the machine, if it differs from the database's by more than is tolerated. */
  get problem(): string | undefined {
    const ahead = this.#machine.currentTimeMillisUnsafe() - this.currentTimeMillisUnsafe()
    if (Math.abs(ahead) <= tolerated) return undefined
    return (
      `The clock of this machine is ${Math.round(Math.abs(ahead) / 1000)} seconds ` +
      `${ahead > 0 ? "ahead of" : "behind"} the database's; at most ${tolerated / 1000} are tolerated. Set both by NTP`
    )
  }

  currentTimeNanosUnsafe(): bigint {
    return this.#origin + this.#machine.monotonicTimeNanosUnsafe()
  }
  currentTimeMillisUnsafe(): number {
    return Number(this.currentTimeNanosUnsafe() / BigInt(nanosPerMilli))
  }
  monotonicTimeNanosUnsafe(): bigint {
    return this.#machine.monotonicTimeNanosUnsafe()
  }
  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())
  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.#machine.sleep(duration)
  }
}

const originsOf = ({ answered, asked, at }: Told) => {
  const nanos = BigInt(Math.round(at * 1_000)) * 1_000n
  return { earliest: nanos - answered, latest: nanos - asked }
}

/**
 * The database's clock as that of everything above, so that processes agree on what is due, expired and over. Refuses to start
 * where the clock of this machine is wrong, or the database's, and warns when one becomes wrong later.
 */
export const layer = Layer.effect(
  Clock.Clock,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const machine = yield* Clock.Clock
    const ask = Effect.gen(function* () {
      const asked = yield* machine.monotonicTimeNanos
      const [row] = yield* sql<{
        at: number
      }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
      const answered = yield* machine.monotonicTimeNanos
      return { at: row?.at ?? 0, asked, answered } satisfies Told
    })
    const clock = new SharedClock(machine, yield* ask)
    if (clock.problem !== undefined)
      return yield* new ClockDiffers({ message: `${clock.problem}, and start again` })
    let warned = false
    const compare = Effect.gen(function* () {
      clock.follow(yield* ask)
      const { problem } = clock
      if (problem !== undefined && !warned) yield* Effect.logWarning(problem)
      warned = problem !== undefined
    })
    yield* Effect.sleep(comparedEvery).pipe(
      // A database that does not answer is reported by whoever needs it.
      Effect.andThen(Effect.ignore(compare)),
      Effect.forever,
      Effect.forkScoped
    )
    return clock
  })
)
