import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Exit } from "effect"
import { serve } from "./Serve.ts"
import { exitProcess } from "./StopDeadline.ts"

/** Runs the service as the main program of this process, until it receives a signal to stop. */
export const startService = (): void =>
  NodeRuntime.runMain(serve, {
    disableErrorReporting: true,
    // A signal to stop is not a failure.
    teardown: (exit) => exitProcess(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
