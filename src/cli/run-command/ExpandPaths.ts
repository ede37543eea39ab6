import { Console, Effect, FileSystem, Path, Result } from "effect"
import { glob } from "node:fs/promises"
import { cannotRead, notAFile } from "../../domain/FileProblem.ts"
import { fail } from "../CommandFailed.ts"
import { missingFile } from "../MissingFile.ts"
import type { FieldToReview, RunResult } from "../../services/local-runs/LocalRuns.ts"

/** Why a document was not run. */
interface Refused {
  readonly flow: string
  readonly version: string
  readonly status: "failed"
  readonly error: { readonly code: string; readonly message: string }
  readonly fields?: undefined
  readonly output?: undefined
  readonly metrics?: undefined
}

/** A document of a batch: its run, or why it was not run, and what a person should check. */
export interface RunLine {
  readonly file: string
  readonly result: Omit<RunResult, "artifacts"> | Refused
  readonly review: ReadonlyArray<FieldToReview>
}

/** The line of `--json` and `--jsonl`. */
export const jsonLine = ({ file, result, review }: RunLine): string =>
  JSON.stringify({ file, ...result, ...(review.length === 0 ? {} : { review }) })

/** Whether a person should check a document, because it failed or has doubtful fields. */
export const needsReview = ({ result, review }: RunLine): boolean =>
  result.status === "failed" || review.length > 0

/** Extensions of files that flows can read; other files of a folder are left out. */
const readable =
  /\.(?:pdf|png|jpe?g|tiff?|webp|gif|bmp|avif|hei[cf]|xml|docx|xlsx|pptx|odt|rtf|html?|eml|msg|csv|md|txt)$/iu

/** Old Office formats, with what to save them as. */
const replaced: Readonly<Record<string, string>> = { doc: "docx", xls: "xlsx", ppt: "pptx" }

const hasHidden = (file: string): boolean => /(?:^|[/\\])\.[^./\\]/u.test(file)

/** Whether a path is a file, and not a named pipe, say, whose reading may never end; says which are skipped. */
const isFile = Effect.fnUntraced(function* (file: string) {
  const reason = yield* notAFile(file)
  if (reason !== undefined) yield* Console.error(`${file} is skipped: ${reason}`)
  return reason === undefined
})

const filesIn = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const entries = yield* Effect.catch(fs.readDirectory(folder, { recursive: true }), (error) =>
    fail(cannotRead(`The folder ${folder}`, error))
  )
  const files = entries.filter((entry) => readable.test(entry) && !hasHidden(entry)).sort()
  const found = yield* Effect.filter(
    files.map((entry) => path.join(folder, entry)),
    isFile
  )
  if (found.length > 0) return found
  return yield* fail(`No document found in the folder ${folder}`)
})

const matches = (pattern: string) =>
  Effect.promise(async () => {
    const found: Array<string> = []
    for await (const file of glob(pattern)) if (!hasHidden(file)) found.push(file)
    return found.sort()
  })

const expand = Effect.fnUntraced(function* (given: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.result(fs.stat(given))
  if (Result.isSuccess(info)) return info.success.type === "Directory" ? yield* filesIn(given) : [given]
  if (!/[*?[{]/u.test(given)) return yield* missingFile(given, info.failure)
  const found = yield* Effect.filter(yield* matches(given), isFile)
  return found.length > 0 ? found : yield* fail(`No file matches ${given}`)
})

/** Expands arguments to documents: files, all documents in folders, and the matches of patterns; each once. */
export const expandPaths = (given: ReadonlyArray<string>) =>
  Effect.map(Effect.forEach(given, expand), (found) => [...new Set(found.flat())])

/** What to do with a file of an unsupported format; undefined for other files. */
export const formatAdvice = (file: string): string | undefined => {
  const ending = /\.([a-z]+)$/iu.exec(file)?.[1]?.toLowerCase() ?? ""
  const better = Object.hasOwn(replaced, ending) ? replaced[ending] : undefined
  return better === undefined
    ? undefined
    : `The .${ending} format is not supported. Save the file as .${better} or PDF`
}
