import { Cause, Console, Effect, Schema } from "effect"

/** The command has said what went wrong; the process ends with the exit code, 1 if it has none. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", {
  exitCode: Schema.optionalKey(Schema.Int)
}) {}

/** Ends the command: `message` goes to standard error. */
export const fail = (message: string): Effect.Effect<never, Failed> =>
  Effect.andThen(Console.error(message), new Failed({}))

/** The exit code of a command that ended in this way. */
export const exitCodeOf = (cause: Cause.Cause<unknown>): number => {
  if (Cause.hasInterruptsOnly(cause)) return 0
  const error = Cause.squash(cause)
  return error instanceof Failed ? (error.exitCode ?? 1) : 1
}
