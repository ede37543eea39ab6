import { Effect, FileSystem, Option, Path, Result } from "effect"
import { latestVersion } from "../../../dsl/model/Words.ts"
import { whyNotFound, whyNotRead } from "../../domain/FileProblem.ts"

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

/** How many files are looked at or read at a time. */
const together = { concurrency: 16 }

/** A flow file as a look at its folder finds it, without its text. */
export interface FoundFile {
  /** Its path in the folder. */
  readonly entry: string
  /** Changes whenever the file does: its time, size and inode. */
  readonly mark: string
  /** Why it is not read, as a clause; undefined for a file. */
  readonly reason?: string | undefined
}

const markOf = ({ ino, mtime, size }: FileSystem.File.Info): string =>
  [Option.getOrUndefined(mtime)?.getTime(), size, Option.getOrUndefined(ino)].join(" ")

/** The flow files of a folder. */
export const findFlowFiles = Effect.fn("Flows.findFiles")(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = (yield* fs.readDirectory(folder, { recursive: true })).filter(isFlowFile)
  return yield* Effect.forEach(
    entries.toSorted(),
    (entry): Effect.Effect<FoundFile> =>
      Effect.match(fs.stat(path.join(folder, entry)), {
        onFailure: (error) => ({ entry, mark: "gone", reason: whyNotFound(error) }),
        onSuccess: (info) => ({ entry, mark: markOf(info), reason: whyNotRead(info) })
      }),
    together
  )
})

/**
 * Reads flow files of a folder; skips files that cannot be read because they are just being replaced, and, with a warning,
 * whatever is not a file.
 */
export const readFound = Effect.fn("Flows.readFound")(function* (
  folder: string,
  found: ReadonlyArray<FoundFile>
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const read = yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* ({ entry, reason }) {
      const file = path.join(folder, entry)
      if (reason !== undefined) {
        yield* Effect.logWarning(`${file} is skipped: ${reason}`)
        return []
      }
      const text = yield* Effect.result(fs.readFileString(file))
      if (Result.isFailure(text)) return []
      const id = path.basename(path.dirname(entry))
      const version = versionOfFile(path.basename(entry))
      return [{ file, text: text.success, id, version } satisfies FlowFile]
    }),
    together
  )
  return read.flat()
})

/** Reads the flow files of a folder. */
export const readFlowFiles = (folder: string) =>
  Effect.flatMap(findFlowFiles(folder), (found) => readFound(folder, found))

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
