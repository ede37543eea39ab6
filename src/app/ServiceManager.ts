import { Config, Duration, Effect, Option, Schedule, Schema } from "effect"
import { execFile } from "node:child_process"

const watchdog = Config.option(Config.schema(Schema.FiniteFromString, "WATCHDOG_USEC"))
const socket = Config.option(Config.String("NOTIFY_SOCKET"))

/** Sends a state to systemd by its own program: Node.js has no datagram sockets of Unix. */
const notify = (...states: ReadonlyArray<string>) =>
  Effect.callback<void>((resume) => {
    const child = execFile("systemd-notify", states, (error) =>
      resume(
        error === null
          ? Effect.void
          : Effect.logWarning(`systemd was not told ${states.join(" ")}: ${error.message}`)
      )
    )
    return Effect.sync(() => child.kill())
  })

/**
 * Where systemd started this process as a service of `Type=notify`: tells it that the service is ready, that it is stopping, and,
 * with `WatchdogSec`, that the event loop still turns, twice in each interval.
 */
export const tellServiceManager = Effect.gen(function* () {
  if (Option.isNone(yield* socket)) return
  yield* Effect.addFinalizer(() => notify("STOPPING=1"))
  yield* notify("READY=1")
  const interval = yield* watchdog
  if (Option.isNone(interval)) return
  const half = Duration.millis(interval.value / 2000)
  yield* notify("WATCHDOG=1").pipe(Effect.repeat(Schedule.spaced(half)), Effect.forkScoped)
})
