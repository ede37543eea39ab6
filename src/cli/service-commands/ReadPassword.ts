import { Console, Effect, Redacted, Stdio, Stream } from "effect"
import { Prompt } from "effect/cli"
import { fail } from "../CommandFailed.ts"

const ask = (message: string) => Effect.map(Prompt.run(Prompt.Hidden({ message })), Redacted.value)

/** The first line of standard input, for programs. */
const firstLine = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const text = yield* Effect.orDie(Stream.mkString(Stream.decodeText(stdio.stdin)))
  const [line = ""] = text.split(/\r?\n/u)
  return line === "" ? yield* fail("Pass the password on standard input, or run this in a terminal") : line
})

/** A password: typed in a terminal without being shown, or the first line of standard input. */
export const readPassword = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  return (yield* stdio.stdinIsTerminal) ? yield* ask("Password") : yield* firstLine
})

/** A new password, typed twice in a terminal. */
export const readNewPassword = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  if (!(yield* stdio.stdinIsTerminal)) return yield* firstLine
  for (;;) {
    const typed = yield* ask("New password, at least 12 characters")
    if (typed === (yield* ask("Again"))) return typed
    yield* Console.error("These are two different passwords.")
  }
})
