import { Effect } from "effect"
import { BlobUses } from "../../engine/BlobUses.ts"
import { createExecution, type NewExecution } from "./NewExecution.ts"

/** Everything about a run that has been checked without the database. */
export interface CheckedRun extends NewExecution {
  readonly bytes: Uint8Array
}

/**
 * Accepts a run. The document is stored first, which may take long (a disk is synced), so that nothing slow happens while
 * the organization's row is locked; a run that is refused leaves no document behind.
 */
export const accept = Effect.fn("Executions.create")(function* (run: CheckedRun) {
  const uses = yield* BlobUses
  const { blob } = run.document
  return yield* uses.storing(blob, run.bytes, createExecution(run, "execution.run"))
})
