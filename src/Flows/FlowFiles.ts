import { Effect, FileSystem, Option, Path } from "effect"
import { latestVersion } from "./FlowSet.ts"

/** A flow file: `<folder>/<id>/<version>.yaml`. */
export interface FlowFile {
  readonly file: string
  readonly text: string
  /** What the path says; the file must say the same. */
  readonly id: string
  readonly version: string
}

/** Reads the flow files of a folder. */
export const readFlowFiles = Effect.fn("Flows.readFiles")(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = yield* fs.readDirectory(folder, { recursive: true })
  const files = entries.filter((entry) => /\.ya?ml$/u.test(entry)).sort()
  return yield* Effect.forEach(files, (entry) =>
    Effect.map(fs.readFileString(path.join(folder, entry)), (text): FlowFile => ({
      file: path.join(folder, entry),
      text,
      id: path.basename(path.dirname(entry)),
      version: path.basename(entry).replace(/\.ya?ml$/u, "")
    }))
  )
})

/** The file of a flow's newest version in a folder. */
export const newestFlowFile = Effect.fnUntraced(function* (folder: string, flowId: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = yield* fs.readDirectory(path.join(folder, flowId))
  const versions = entries.filter((entry) => /\.ya?ml$/u.test(entry)).map(versionOfFile)
  const latest = latestVersion(versions)
  return Option.map(Option.fromUndefinedOr(latest), (version) =>
    path.join(folder, flowId, entries.find((entry) => versionOfFile(entry) === version) ?? "")
  )
})

const versionOfFile = (name: string): string => name.replace(/\.ya?ml$/u, "")
