import { Effect } from "effect"
import { BlobUses } from "../../engine/BlobUses.ts"
import * as Idempotency from "./Idempotency.ts"
import { type Accepted, checkAllowance, createExecution, type NewExecution } from "./NewExecution.ts"

/** Everything about a run that has been checked without the database. */
export interface CheckedRun extends NewExecution {
  readonly bytes: Uint8Array
}

/**
 * Accepts a run. The document is stored first, which may take long (a disk is synced), so that nothing slow happens while
 * the organization's row is locked. Nothing is stored for a run that is refused, unless others took what it needs meanwhile;
 * then its document is removed again.
 */
export const accept = Effect.fn("Executions.create")(function* (run: CheckedRun) {
  const uses = yield* BlobUses
  const earlier = yield* checkAllowance(run).pipe(
    Effect.as(undefined),
    // The same request may just have taken the last place: then it is answered with that execution.
    Effect.catchTag(["INSUFFICIENT_CREDITS", "CONCURRENT_LIMIT"], (refusal) =>
      Effect.flatMap(Idempotency.find(run.caller, run.request, run.fingerprint), (found) =>
        found === undefined ? Effect.fail(refusal) : Effect.succeed(found)
      )
    )
  )
  if (earlier !== undefined) return { _tag: "Replayed", executionId: earlier } satisfies Accepted
  const { blob } = run.document
  return yield* uses.storing(blob, run.bytes, createExecution(run, "execution.run"))
})
