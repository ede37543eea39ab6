import { Effect, FileSystem, Path } from "effect"
import { nearest } from "../../dsl/source/Nearest.ts"
import { cannotRead } from "../domain/FileProblem.ts"
import { fail } from "./CommandFailed.ts"

/** Ends the command because a file cannot be read: says why, and names a similar one in its folder. */
export const missingFile = Effect.fnUntraced(function* (file: string, error: unknown) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(file)
  const others = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): ReadonlyArray<string> => [])
  const name = path.basename(file)
  const sameStem = others.find((other) => path.parse(other).name === path.parse(name).name)
  const near = others.includes(name) ? undefined : (nearest(name, others) ?? sameStem)
  const advice = near === undefined ? undefined : `Did you mean "${path.join(folder, near)}"?`
  return yield* fail(cannotRead(file, error, advice))
})
