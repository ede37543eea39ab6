import { Effect } from "effect"
import type { Caller } from "../domain/ApiKey.ts"
import { InvalidInput } from "../domain/Errors.ts"
import { ExecutionCorrections } from "../services/corrections/ExecutionCorrections.ts"
import { Executions } from "../services/executions/Executions.ts"
import { requireScope } from "./RequireScope.ts"

const includable = ["artifacts", "corrections", "fields", "metrics"]

/** What a request wants to be added to an execution, by the query parameter `include`. */
export const readInclude = (include: string | undefined) => {
  const wanted = (include ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const unknown = wanted.find((part) => !includable.includes(part))
  return unknown === undefined
    ? Effect.succeed({
        artifacts: wanted.includes("artifacts"),
        corrections: wanted.includes("corrections"),
        fields: wanted.includes("fields"),
        metrics: wanted.includes("metrics")
      })
    : new InvalidInput({
        message: `Invalid include: "${unknown.slice(0, 50)}" is not one of ${includable.join(", ")}`,
        details: { field: "include", reason: `must be a comma-separated list of ${includable.join(", ")}` }
      })
}

/** What `include` names. */
export type Included = Effect.Success<ReturnType<typeof readInclude>>

/** Reads an execution with what `include` adds to it. */
export const makeIncludingRead = Effect.gen(function* () {
  const executions = yield* Executions
  const corrections = yield* ExecutionCorrections
  return Effect.fnUntraced(function* (caller: Caller, executionId: string, include: Included) {
    if (include.corrections) yield* requireScope(caller, "corrections:read")
    const execution = yield* executions.get(caller, executionId, include)
    if (!include.corrections) return execution
    return { ...execution, corrections: yield* corrections.getByPath(caller, executionId) }
  })
})

/** Refuses an `include` that the response of a run could not follow, before anything is run. */
export const requireIncludable = Effect.fnUntraced(function* (
  caller: Caller,
  include: Included,
  wait: boolean | undefined
) {
  if (!Object.values(include).includes(true)) return false
  if (wait !== true) {
    return yield* new InvalidInput({
      message:
        '`include` needs `wait`: without it, the response is the pending execution. Add `"wait": true`, or use `include` with GET /runs/{executionId}',
      details: { field: "include", reason: "needs wait" }
    })
  }
  yield* requireScope(caller, "executions:read")
  if (include.corrections) yield* requireScope(caller, "corrections:read")
  return true
})
