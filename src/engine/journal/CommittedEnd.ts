import type { Execution, ExecutionError } from "../../domain/Execution.ts"

/** The end of an execution, as just committed by this process, so that those who wait for it here need not read it. */
export interface CommittedEnd {
  readonly status: Execution["status"]
  /** Null where there is none. */
  readonly output: unknown
  readonly error: ExecutionError | null
  readonly at: Date
  /** Credits. */
  readonly charged: number
}
