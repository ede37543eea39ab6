import { Effect, FileSystem, Option, Path, Result } from "effect"
import { latestVersion } from "../../../dsl/model/Versions.ts"
import { notAFile } from "../../domain/FileProblem.ts"

/** A flow file: `<folder>/<id>/<version>.yaml`. */
export interface FlowFile {
  readonly file: string
  readonly text: string
  /** The id in the path, which the file must match. */
  readonly id: string
  readonly version: string
}

/** Editors keep copies and locks next to a file, with a leading dot. */
const isFlowFile = (entry: string): boolean =>
  /(?:^|[/\\])[^./\\][^/\\]*\.ya?ml$/u.test(entry) && !isTestSet(entry)

/** Test sets are next to the versions of a flow, in `<id>/tests/`; a flow may itself be called `tests`. */
const isTestSet = (entry: string): boolean => /[^/\\][/\\]tests[/\\]/u.test(entry)

const entriesOf = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readDirectory(folder, { recursive: true })
})

const flowFilesOf = (entries: ReadonlyArray<string>): ReadonlyArray<string> =>
  entries.filter(isFlowFile).toSorted()

/**
 * Reads the flow files of a folder; skips files that cannot be read because they are just being replaced, and, with a warning,
 * whatever is not a file.
 */
export const readFlowFiles = Effect.fn("Flows.readFiles")(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const read = yield* Effect.forEach(
    flowFilesOf(yield* entriesOf(folder)),
    Effect.fnUntraced(function* (entry): Effect.fn.Return<
      ReadonlyArray<FlowFile>,
      never,
      FileSystem.FileSystem
    > {
      const file = path.join(folder, entry)
      const reason = yield* notAFile(file)
      if (reason !== undefined) {
        yield* Effect.logWarning(`${file} is skipped: ${reason}`)
        return []
      }
      const text = yield* Effect.result(fs.readFileString(file))
      if (Result.isFailure(text)) return []
      return [
        {
          file,
          text: text.success,
          id: path.basename(path.dirname(entry)),
          version: versionOfFile(path.basename(entry))
        }
      ]
    })
  )
  return read.flat()
})

/** A string that changes whenever a flow file of the folder does: names, times, sizes and inodes. */
export const fingerprintOf = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = yield* entriesOf(folder)
  const marks = yield* Effect.forEach(flowFilesOf(entries), (entry) =>
    Effect.match(fs.stat(path.join(folder, entry)), {
      onFailure: () => `${entry} gone`,
      onSuccess: ({ ino, mtime, size }) =>
        [
          entry,
          Option.getOrElse(mtime, () => new Date(0)).getTime(),
          size,
          Option.getOrElse(ino, () => 0)
        ].join(" ")
    })
  )
  return marks.join("\n")
})

/** The file of a flow's newest version in a folder. */
export const newestFlowFile = Effect.fnUntraced(function* (folder: string, flowId: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = (yield* fs.readDirectory(path.join(folder, flowId))).filter(isFlowFile)
  const latest = latestVersion(entries.map(versionOfFile))
  return Option.map(Option.fromUndefinedOr(latest), (version) =>
    path.join(folder, flowId, entries.find((entry) => versionOfFile(entry) === version) ?? "")
  )
})

const versionOfFile = (name: string): string => name.replace(/\.ya?ml$/u, "")
