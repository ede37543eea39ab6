import { Schema } from "effect"
import { Environment, type CustomLimits, type Plan } from "./Organization.ts"

export const Scope = Schema.Literals([
  "flows:read",
  "flows:execute",
  "executions:read",
  "executions:cancel",
  "corrections:read",
  "corrections:write"
])
export type Scope = typeof Scope.Type

/** Every scope; typical integration keys have all of them. */
export const allScopes: ReadonlyArray<Scope> = Scope.literals

/** The scopes of a new key. */
export const GrantedScopes = Schema.Array(Scope).check(
  Schema.isMinLength(1, { message: "must contain at least one scope" })
)

/** A key without its secret, as it can be shown at any time. */
export const ApiKey = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  environment: Environment,
  scopes: Schema.Array(Scope),
  lastFour: Schema.String,
  createdAt: Schema.String,
  lastUsedAt: Schema.NullOr(Schema.String),
  revokedAt: Schema.NullOr(Schema.String)
})
export type ApiKey = typeof ApiKey.Type

/** The caller of a request: the key that was presented and the organization behind it. */
export interface Caller {
  /** Undefined for a person in the dashboard and for the service itself. */
  readonly keyId: string | undefined
  readonly organizationId: string
  readonly environment: Environment
  readonly scopes: ReadonlyArray<Scope>
  readonly plan: Plan
  readonly customLimits: CustomLimits
}

/** The service itself, on behalf of an organization: sees its executions of one environment, and runs nothing. */
export const operatorOf = (organizationId: string, environment: Environment): Caller => ({
  keyId: undefined,
  organizationId,
  environment,
  scopes: ["executions:read", "executions:cancel", "corrections:read", "corrections:write"],
  plan: "enterprise",
  customLimits: {}
})
