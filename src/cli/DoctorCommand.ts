import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { findings } from "../app/Doctor.ts"

/** `docflow doctor`: what is installed on this machine. */
export const doctorCommand = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const found = yield* findings
    const width = Math.max(...found.map(({ name }) => name.length))
    for (const { found: what, name } of found) yield* Console.log(`${name.padEnd(width)}  ${what}`)
  })
).pipe(
  Command.withDescription("List what is installed: OCR engines, models, languages, programs, the sandbox")
)
