import { Console, Effect, Schema } from "effect"

/** The command has said what went wrong; the process ends with exit code 1. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", {}) {}

/** Ends the command: `message` goes to standard error. */
export const fail = (message: string): Effect.Effect<never, Failed> =>
  Effect.andThen(Console.error(message), new Failed())
