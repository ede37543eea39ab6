import { Schema } from "effect"

export const Plan = Schema.Literals(["free", "pro", "enterprise"])
export type Plan = typeof Plan.Type

/** Plans in ascending order: a flow that requires one can be run with any higher one. */
const planOrder: ReadonlyArray<Plan> = ["free", "pro", "enterprise"]

/** Whether `plan` includes what requires the plan `required`. */
export const planCovers = (plan: Plan, required: Plan): boolean =>
  planOrder.indexOf(plan) >= planOrder.indexOf(required)

/** Live keys use credits and see live executions; test keys have their own data and limits, and are not charged. */
export const Environment = Schema.Literals(["live", "test"])
export type Environment = typeof Environment.Type

/** The limits of an organization in one environment. */
export interface Limits {
  readonly requestsPerMinute: number
  readonly concurrentExecutions: number
}

const testLimits: Limits = { requestsPerMinute: 60, concurrentExecutions: 2 }
const freeLimits: Limits = { requestsPerMinute: 100, concurrentExecutions: 5 }
const proLimits: Limits = { requestsPerMinute: 1000, concurrentExecutions: 50 }

/** The custom limits of an enterprise organization; omitted ones are those of `pro`. */
export interface CustomLimits {
  readonly requestsPerMinute?: number | undefined
  readonly concurrentExecutions?: number | undefined
}

/** The limits of an organization's plan in an environment. */
export const limitsFor = (plan: Plan, environment: Environment, custom: CustomLimits = {}): Limits => {
  if (environment === "test") return testLimits
  if (plan === "free") return freeLimits
  if (plan === "pro") return proLimits
  return {
    requestsPerMinute: custom.requestsPerMinute ?? proLimits.requestsPerMinute,
    concurrentExecutions: custom.concurrentExecutions ?? proLimits.concurrentExecutions
  }
}

/** An organization as the administration API shows it. `balance` is the amount that can still be spent. */
export const Organization = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  plan: Plan,
  credits: Schema.Struct({ balance: Schema.Finite, reserved: Schema.Finite }),
  requestsPerMinute: Schema.Int,
  concurrentExecutions: Schema.Int,
  documentRetentionHours: Schema.Finite,
  outputRetentionDays: Schema.Finite,
  documentExport: Schema.Boolean.annotate({
    description: "Whether test cases from corrections contain the document."
  }),
  models: Schema.Struct({
    tokensPerMonth: Schema.NullOr(Schema.Int).annotate({
      description: "The budget of tokens for a calendar month in UTC; null if there is none."
    }),
    tokensThisMonth: Schema.Int.annotate({
      description: "Tokens used this month, and the most that requests under way may need."
    }),
    keys: Schema.Array(Schema.String).annotate({
      description: "Providers at which the organization uses its own key. Keys are never returned."
    })
  }),
  createdAt: Schema.String
})
export type Organization = typeof Organization.Type

/** One movement of an organization's credits; the amounts of all of them sum to balance + reserved. */
export const LedgerEntry = Schema.Struct({
  at: Schema.String,
  kind: Schema.Literals(["grant", "charge"]),
  amount: Schema.Finite,
  executionId: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
})
export type LedgerEntry = typeof LedgerEntry.Type
