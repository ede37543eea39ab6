import { Effect, Layer } from "effect"
import { Settings } from "../config/Config.ts"

/** Resolves when the process receives a signal to stop. */
const toldToStop = Effect.callback<void>((resume) => {
  const done = () => resume(Effect.void)
  process.once("SIGTERM", done).once("SIGINT", done)
  return Effect.sync(() => process.off("SIGTERM", done).off("SIGINT", done))
})

/**
 * Ends the process when stopping takes longer than the settings allow. Provide it below everything else, so that it is
 * released last: the next process finds in the database what was not handed over.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { stopSeconds } = yield* Settings
    yield* toldToStop.pipe(
      Effect.andThen(Effect.sleep(`${stopSeconds} seconds`)),
      Effect.andThen(
        Effect.sync(() => {
          process.stderr.write(
            `docflow: stopping took longer than ${stopSeconds} s (DOCFLOW_STOP_SECONDS). The process exits; ` +
              "unfinished executions go on elsewhere or after the next start\n"
          )
          process.exit(1)
        })
      ),
      Effect.forkScoped
    )
  })
)
