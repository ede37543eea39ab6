import { Effect, Redacted, Stdio, Stream } from "effect"
import { Prompt } from "effect/cli"
import { fail } from "../CommandFailed.ts"

/** A secret typed in a terminal, without being shown. */
export const askSecret = (message: string) =>
  Effect.map(Prompt.run(Prompt.Hidden({ message })), Redacted.value)

/** A secret, such as a password: typed in a terminal, or for programs the first line of standard input. */
export const readSecret = Effect.fnUntraced(function* (name: string) {
  const stdio = yield* Stdio.Stdio
  if (yield* stdio.stdinIsTerminal) return yield* askSecret(name)
  const text = yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdio.stdin)))
  const [line = ""] = text.split(/\r?\n/u)
  return line === ""
    ? yield* fail(`Pass the ${name.toLowerCase()} on standard input, or run this in a terminal`)
    : line
})
