import { Cause, Console, Effect, Schema } from "effect"

/** The command failed and has printed why; the process ends with the exit code. Default: 1. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", {
  exitCode: Schema.optionalKey(Schema.Int)
}) {}

/** Ends the command: `message` goes to standard error. */
export const fail = (message: string): Effect.Effect<never, Failed> =>
  Effect.andThen(Console.error(message), new Failed({}))

/** What a shell expects of a program that Ctrl-C ended. */
const interrupted = 130

/** The exit code for how a command ended. One that runs until it is stopped has not failed then. */
export const exitCodeOf = (cause: Cause.Cause<unknown>, runsUntilStopped: boolean): number => {
  if (Cause.hasInterruptsOnly(cause)) return runsUntilStopped ? 0 : interrupted
  const error = Cause.squash(cause)
  return error instanceof Failed ? (error.exitCode ?? 1) : 1
}
