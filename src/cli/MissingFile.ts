import { Effect, FileSystem, Path } from "effect"
import { nearest } from "../../dsl/source/Nearest.ts"
import { fail } from "./CommandFailed.ts"

/** Ends the command because a file cannot be read, with the name of a similar one in its folder. */
export const missingFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(file)
  const others = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): ReadonlyArray<string> => [])
  const near = others.includes(path.basename(file)) ? undefined : nearest(path.basename(file), others)
  const advice = near === undefined ? "Check the path" : `Did you mean "${path.join(folder, near)}"?`
  return yield* fail(`${file} cannot be read. ${advice}`)
})
