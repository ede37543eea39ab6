import { Effect, FileSystem } from "effect"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import { flowFileOf as findFlowFile } from "../services/local-runs/RunFlowFile.ts"
import { fail } from "./CommandFailed.ts"
import { missingFile } from "./MissingFile.ts"

/** The flow file for an argument; ends the command if there is none. */
export const flowFileOf = (name: string) =>
  Effect.catchTag(findFlowFile(name), "UnreadableFlow", ({ message }) => fail(message))

/** The checked flow of a file; ends the command with its problems if it has any. */
export const openFlow = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const runs = yield* LocalRuns
  const text = yield* Effect.catch(fs.readFileString(file), (error) => missingFile(file, error))
  return yield* Effect.catch(runs.compile(text, file), ({ message }) => fail(message))
})
