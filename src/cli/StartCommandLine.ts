import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { exitCodeOf } from "./CommandFailed.ts"
import { docflow } from "./Program.ts"
import { reportUnreported } from "./ReportUnreported.ts"
import { version } from "./Version.ts"

const program = Command.run(docflow, { version }).pipe(reportUnreported, Effect.provide(NodeServices.layer))

/** Runs the command line as the main program of this process. */
export const startCommandLine = (): void =>
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) ? exitCodeOf(exit.cause) : 0)
  })
