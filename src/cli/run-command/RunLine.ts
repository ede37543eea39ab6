import type { FieldToReview, RunResult } from "../../services/local-runs/LocalRuns.ts"

/** Why a document was not run. */
export interface Refused {
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
