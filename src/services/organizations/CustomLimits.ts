import { Effect } from "effect"
import { ValidationFailed } from "../../domain/Errors.ts"
import type { Plan } from "../../domain/Organization.ts"

/** Fails if an organization without the enterprise plan has custom limits. */
export const checkLimits = (wanted: {
  readonly plan: Plan
  readonly requestsPerMinute?: number
  readonly concurrentExecutions?: number
}) => {
  if (wanted.plan === "enterprise") return Effect.void
  const field = (["requestsPerMinute", "concurrentExecutions"] as const).find(
    (name) => wanted[name] !== undefined
  )
  return field === undefined
    ? Effect.void
    : new ValidationFailed({
        message: `${field} can be set only for the plan enterprise`,
        details: { field, reason: `the plan is ${wanted.plan}` }
      })
}
