import { Schema } from "effect"
import { Environment } from "./Organization.ts"

/** What was used on one day (UTC) in one environment: of one flow of an organization, or of one organization. */
export const DayOfUse = Schema.Struct({
  /** Like `2026-11-22`. */
  day: Schema.String,
  environment: Environment,
  /** The id of the flow or of the organization. */
  of: Schema.String,
  executions: Schema.Int,
  pages: Schema.Int,
  credits: Schema.Finite
})
export type DayOfUse = typeof DayOfUse.Type

/** What was used of one flow in a month: by its executions, or what they asked of one model. */
export const MonthOfUse = Schema.Struct({
  organizationId: Schema.String,
  name: Schema.String,
  environment: Environment,
  flowId: Schema.String,
  /** Empty for the executions themselves. */
  model: Schema.String,
  executions: Schema.Int,
  pages: Schema.Int,
  credits: Schema.Finite,
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite
})
export type MonthOfUse = typeof MonthOfUse.Type

/** The use of some days, from the first to the last, both included; days without use are left out. */
export const Usage = Schema.Struct({
  from: Schema.String,
  until: Schema.String,
  days: Schema.Array(DayOfUse),
  /** The display names of ids in `of` that are not names themselves. */
  names: Schema.Record(Schema.String, Schema.String)
})
export type Usage = typeof Usage.Type
