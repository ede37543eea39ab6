import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { layerCommandLogger } from "../../src/cli/Program.ts"

describe("what a command says besides its result", () => {
  it.effect("is a line for people, on standard error", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const said = { ...console, error: (line: string) => void lines.push(line) }
      yield* Effect.gen(function* () {
        yield* Effect.logInfo("Pictures are recognised by paddle and tesseract.js.")
        yield* Effect.logWarning("A flow file has a problem", "flows/a.yaml")
        yield* Effect.logError("A step died", new Error("no memory"))
      }).pipe(Effect.provide(layerCommandLogger), Effect.provideService(Console.Console, said))
      assert.deepStrictEqual(lines.slice(0, 2), [
        "Pictures are recognised by paddle and tesseract.js.",
        "warning: A flow file has a problem: flows/a.yaml"
      ])
      assert.match(lines[2] ?? "", /^error: A step died: Error: no memory/u)
    })
  )
})
