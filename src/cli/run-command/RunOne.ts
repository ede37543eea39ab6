import { Effect, FileSystem, Path, Result } from "effect"
import { cannotRead } from "../../domain/FileProblem.ts"
import { fieldsToReview } from "../../services/local-runs/FieldsToReview.ts"
import { LocalRuns } from "../../services/local-runs/LocalRuns.ts"
import { formatAdvice } from "./ExpandPaths.ts"
import type { RunLine } from "./RunLine.ts"

/** Runs one document of a batch; returns its bytes, if it ran, and its line. */
export const runOne = Effect.fnUntraced(function* (
  compiled: Parameters<LocalRuns["Service"]["run"]>[0],
  file: string,
  variables: { readonly [name: string]: unknown },
  onProgress: (step: string, percentage: number) => void
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const runs = yield* LocalRuns
  const { id, version } = compiled.definition
  const refused = (code: string, message: string): RunLine => ({
    file,
    result: { flow: id, version, status: "failed", error: { code, message } },
    review: []
  })
  const bytes = yield* Effect.result(fs.readFile(file))
  if (Result.isFailure(bytes))
    return { bytes: undefined, line: refused("INVALID_INPUT", cannotRead(file, bytes.failure)) }
  const ran = yield* Effect.result(
    runs.run(compiled, bytes.success, { filename: path.basename(file), variables, onProgress })
  )
  if (Result.isFailure(ran)) {
    const { code, message } = ran.failure
    return { bytes: undefined, line: refused(code, formatAdvice(file) ?? message) }
  }
  const { artifacts, ...result } = ran.success
  const line: RunLine = { file, result, review: fieldsToReview({ artifacts }) }
  return { bytes: bytes.success, line }
})
