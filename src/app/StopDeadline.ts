import { Effect, Layer } from "effect"
import { Settings } from "../config/Config.ts"

/** How long reads that are about to end may delay the exit, in milliseconds. */
const patience = 1_000

/** Whether a thread is in a call to the file system. */
const isReading = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))

/**
 * Ends the process with an exit code. `process.exit` waits for calls to the file system, which may never return: those on a named
 * pipe, or on a network drive whose server is gone. Then the process kills itself.
 */
export const exitProcess = (code: number, until = performance.now() + patience): void => {
  if (!isReading()) process.exit(code)
  if (performance.now() > until) process.kill(process.pid, "SIGKILL")
  setTimeout(() => exitProcess(code, until), 20)
}

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
          exitProcess(1)
        })
      ),
      Effect.forkScoped
    )
  })
)
