import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** The clocks of this machine and of the database differ. */
export class ClockDiffers extends Schema.TaggedError<ClockDiffers>()("ClockDiffers", {
  message: Schema.String
}) {}

/** In milliseconds. What processes decide together, they decide by the database's clock; this bounds what remains. */
const tolerated = 5_000

/** Refuses to start where the clock of this machine is wrong, or the database's. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const before = yield* Clock.currentTimeMillis
    const [row] = yield* sql<{
      at: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
    const after = yield* Clock.currentTimeMillis
    const ahead = (before + after) / 2 - (row?.at ?? 0)
    if (Math.abs(ahead) - (after - before) / 2 <= tolerated) return
    const seconds = Math.round(Math.abs(ahead) / 1000)
    return yield* new ClockDiffers({
      message:
        `The clock of this machine is ${seconds} seconds ${ahead > 0 ? "ahead of" : "behind"} the database's; at most ` +
        `${tolerated / 1000} are tolerated. Set both by NTP, and start again`
    })
  })
)
