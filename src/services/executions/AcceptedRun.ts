import { defined } from "../../support/Defined.ts"
import type { Execution } from "../../domain/Execution.ts"
import type { Accepted } from "../admission/Acceptance.ts"
import type { CheckedRun } from "./RunChecks.ts"

/** An accepted run. A new one is returned as it was created, `pending`, however soon it starts. */
export type AcceptedRun = Extract<Accepted, { readonly _tag: "Replayed" }> | NewRun

/** A new execution, with the number of its document's pages. */
type NewRun = Extract<Accepted, { readonly _tag: "New" }> & {
  readonly pending: Execution
  readonly pageCount: number
}

/** A new execution, as it was created. */
export const pendingExecution = (run: CheckedRun, createdAt: Date): Execution => ({
  id: run.executionId,
  flowId: run.flowId,
  version: run.version,
  status: "pending",
  createdAt: createdAt.toISOString(),
  ...defined({ metadata: run.metadata })
})
