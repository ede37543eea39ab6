import type { FlowFailure } from "./FlowFailure.ts"
import type { End } from "../journal/Outcome.ts"
import type { StartedRow } from "../journal/StartedRow.ts"
import { ExecutionFailed } from "../../domain/Errors.ts"

/** The number of runners that may die over an execution, since its last recorded step, before it fails. */
export const maxRunnerDeaths = 10

/** The end of an execution whose flow failed. */
export const failedWith = ({ _tag: code, message, step }: FlowFailure): End => ({
  status: "failed",
  error: step === undefined ? { code, message } : { code, message, step }
})

/** The failure of an execution that several runners died over. */
export const diedTooOften = new ExecutionFailed({
  message: `The process that ran this execution exited unexpectedly ${maxRunnerDeaths} times; the execution is not retried`
})

/** The failure of an execution that a defect ended. */
export const unexpected = new ExecutionFailed({
  message: "The execution failed unexpectedly"
})

/** The failure of an execution whose document or version no longer exists. */
export const goneMeanwhile = (row: StartedRow) =>
  new ExecutionFailed({
    message:
      row.document === null
        ? "The document was erased before the execution ended"
        : `Version ${row.version} of the flow ${row.flow_id} is no longer available`
  })
