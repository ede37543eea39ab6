import { Cause, Console, Effect } from "effect"
import { CliError } from "effect/cli"
import { describeStartProblem } from "../app/StartProblem.ts"
import { Failed } from "./CommandFailed.ts"

const isTold = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return Cause.hasInterruptsOnly(cause) || error instanceof Failed || CliError.isCliError(error)
}

/** Prints why a command failed if nothing has been printed yet: an invalid setting, a bug. No command fails silently. */
export const reportUnreported = <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(command, (cause) =>
    isTold(cause) ? Effect.void : Console.error(`docflow: ${describeStartProblem(cause)}`)
  )
