import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit } from "effect"
import { CliError, Command } from "effect/cli"
import { commandName } from "./CommandName.ts"
import { exitCodeOf, Failed } from "./CommandFailed.ts"
import { docflow } from "./Program.ts"
import { withPrintable } from "./Terminal.ts"
import { version } from "../support/Version.ts"
import { describeStartProblem } from "../app/StartProblem.ts"
import { exitProcess } from "../app/StopDeadline.ts"

const isTold = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return Cause.hasInterruptsOnly(cause) || error instanceof Failed || CliError.isCliError(error)
}

/** Prints why a command failed if nothing has been printed yet: an invalid setting, a bug. No command fails silently. */
const reportUnreported = <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(command, (cause) =>
    isTold(cause) ? Effect.void : Console.error(`docflow: ${describeStartProblem(cause)}`)
  )

/** The commands that run until they are stopped. */
const servers: ReadonlySet<string | undefined> = new Set(["serve", "mcp"])

const runsUntilStopped = (words: ReadonlyArray<string>): boolean => servers.has(commandName(words))

const run = Command.runWith(docflow, { version })

/** The exit code of a command line that ended so. */
export const exitCodeFor = (words: ReadonlyArray<string>, exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isFailure(exit) ? exitCodeOf(exit.cause, runsUntilStopped(words)) : 0

/** Runs the command line that these words are; it prints why it failed. */
export const runCommandLine = (words: ReadonlyArray<string>) =>
  run(words).pipe(
    reportUnreported,
    Effect.onInterrupt(() =>
      runsUntilStopped(words)
        ? Effect.void
        : Console.error("Stopped before it was done; nothing more is written.")
    ),
    Effect.updateService(Console.Console, withPrintable),
    Effect.provide(NodeServices.layer)
  )

/** Runs the command line as the main program of this process. */
export const startCommandLine = (): void => {
  const words = process.argv.slice(2)
  NodeRuntime.runMain(runCommandLine(words), {
    disableErrorReporting: true,
    teardown: (exit) => exitProcess(exitCodeFor(words, exit))
  })
}
