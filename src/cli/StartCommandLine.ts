import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { commandName } from "./CommandName.ts"
import { exitCodeOf } from "./CommandFailed.ts"
import { docflow } from "./Program.ts"
import { reportUnreported } from "./ReportUnreported.ts"
import { version } from "./Version.ts"

/** The commands that run until they are stopped. */
const servers: ReadonlySet<string | undefined> = new Set(["serve", "mcp"])

/** Runs the command line as the main program of this process. */
export const startCommandLine = (): void => {
  const runsUntilStopped = servers.has(commandName(process.argv.slice(2)))
  const program = Command.run(docflow, { version }).pipe(
    reportUnreported,
    Effect.onInterrupt(() =>
      runsUntilStopped ? Effect.void : Console.error("Stopped before it was done; nothing more is written.")
    ),
    Effect.provide(NodeServices.layer)
  )
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isFailure(exit) ? exitCodeOf(exit.cause, runsUntilStopped) : 0)
  })
}
