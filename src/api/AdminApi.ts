import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiKey, GrantedScopes, Scope } from "../domain/ApiKey.ts"
import { ArchivedKind, ArchivePage } from "../domain/ArchivePage.ts"
import { AuditEntry } from "../domain/AuditEntry.ts"
import { Delivery } from "../domain/Delivery.ts"
import { ValidationFailed } from "../domain/Errors.ts"
import { ExecutionStatus, ListedExecution } from "../domain/Execution.ts"
import { Environment, LedgerEntry, Organization, Plan } from "../domain/Organization.ts"
import { id, missing, page, summary } from "./AdminParts.ts"
import { MonthOfUse } from "../domain/Usage.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { exampleEndpoints } from "./ExampleEndpoints.ts"
import { AdminGate, Contract, Defects } from "./Gate.ts"
import { integerBetween, pageParameters } from "./Paging.ts"
import { userEndpoints } from "./UserEndpoints.ts"

const params = { id }
const limit = integerBetween(1, 1_000_000_000)
const retention = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))
/** Text that PostgreSQL can keep: no U+0000, no unpaired surrogate. */
const name = Schema.String.check(
  Schema.isBetweenLength(1, 200),
  Schema.isPattern(/^[^\0\p{Surrogate}]*$/u, { message: "must not contain U+0000 or an unpaired surrogate" })
)
const search = Schema.String.check(
  Schema.isPattern(/^[^\0\p{Surrogate}]{1,200}$/u, {
    message: "must be 1 to 200 characters, without U+0000 or an unpaired surrogate"
  })
).annotate({ description: "The id of an execution, or a part of the name of its file." })
const day = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^\d{4}-\d\d-\d\d$/u, { message: "must be a date, such as 2026-11-20" })
  ).annotate({ description })
const month = Schema.String.check(
  Schema.isPattern(/^[12]\d{3}-(?:0[1-9]|1[0-2])$/u, { message: "must be a month, such as 2026-11" })
).annotate({ description: "The month, in UTC." })
/** An organization does not start in debt. */
const openingCredits = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))
const credits = Schema.Finite.check(Schema.isBetween({ minimum: -1e9, maximum: 1e9 }))
const modelKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,1000}$/u, {
    message: "must be 1 to 1000 ASCII characters without spaces"
  })
)
const created = HttpApiSchema.status(201)

/** A key with its secret, which only the response that creates it contains. */
export const NewApiKey = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  name: Schema.String,
  environment: Environment,
  scopes: Schema.Array(Scope),
  createdAt: Schema.String
})

const organizations = [
  HttpApiEndpoint.post("createOrganization", "/organizations", {
    payload: Schema.Struct({
      name,
      plan: Plan,
      credits: Schema.optionalKey(openingCredits),
      requestsPerMinute: Schema.optionalKey(limit),
      concurrentExecutions: Schema.optionalKey(limit),
      documentRetentionHours: Schema.optionalKey(retention),
      outputRetentionDays: Schema.optionalKey(retention)
    }),
    success: Organization.pipe(created),
    error: envelope(ValidationFailed)
  }).annotateMerge(summary("Create an organization")),
  HttpApiEndpoint.get("listOrganizations", "/organizations", {
    query: pageParameters,
    success: Schema.Struct({ organizations: Schema.Array(Organization), ...page })
  }).annotateMerge(summary("List organizations")),
  HttpApiEndpoint.get("getOrganization", "/organizations/:id", {
    params,
    success: Organization,
    error: missing
  }).annotateMerge(summary("Read an organization")),
  HttpApiEndpoint.post("grantCredits", "/organizations/:id/credits", {
    params,
    payload: Schema.Struct({ amount: credits, reason: name }),
    success: Organization,
    error: [missing, envelope(ValidationFailed)]
  }).annotateMerge(summary("Grant credits, or take some back with a negative amount")),
  HttpApiEndpoint.put("setDocumentExport", "/organizations/:id/document-export", {
    params,
    payload: Schema.Struct({ allowed: Schema.Boolean }),
    success: Organization,
    error: missing
  }).annotateMerge(summary("Allow or forbid test cases with the document in them")),
  HttpApiEndpoint.put("setModels", "/organizations/:id/models", {
    params,
    payload: Schema.Struct({
      tokensPerMonth: Schema.optionalKey(Schema.NullOr(integerBetween(0, 1e15))).annotate({
        description: "The budget of tokens for a calendar month in UTC; null removes it."
      }),
      keys: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(modelKey))).annotate({
        description: "Own keys by the name of the provider; null removes one. Others stay as they are."
      })
    }),
    success: Organization,
    error: [missing, envelope(ValidationFailed)]
  }).annotateMerge(summary("Set the budget of tokens, and own keys at providers of models")),
  HttpApiEndpoint.get("getLedger", "/organizations/:id/ledger", {
    params,
    query: pageParameters,
    success: Schema.Struct({ entries: Schema.Array(LedgerEntry), total: Schema.Int }),
    error: missing
  }).annotateMerge(summary("Read the ledger, newest first")),
  HttpApiEndpoint.get("getUsage", "/usage", {
    query: {
      month: Schema.optional(month).annotate({
        description: "The month, in UTC. Default: the current month."
      }),
      organizationId: Schema.optional(id)
    },
    success: Schema.Struct({ month, usage: Schema.Array(MonthOfUse) })
  }).annotateMerge(summary("Read what was used in a month, by organization, environment, flow and model"))
] as const

const keys = [
  HttpApiEndpoint.post("createKey", "/organizations/:id/keys", {
    params,
    payload: Schema.Struct({ name, environment: Environment, scopes: GrantedScopes }),
    success: NewApiKey.pipe(created),
    error: missing
  }).annotateMerge(summary("Make a key; the answer is the only one that shows it")),
  HttpApiEndpoint.get("listKeys", "/organizations/:id/keys", {
    params,
    success: Schema.Struct({ keys: Schema.Array(ApiKey) }),
    error: missing
  }).annotateMerge(summary("List an organization's keys")),
  HttpApiEndpoint.delete("revokeKey", "/keys/:id", { params, success: ApiKey, error: missing }).annotateMerge(
    summary("Revoke a key")
  )
] as const

const executions = [
  HttpApiEndpoint.get("listExecutions", "/organizations/:id/executions", {
    params,
    query: {
      ...pageParameters,
      status: Schema.optional(ExecutionStatus),
      flowId: Schema.optional(id),
      environment: Schema.optional(Environment),
      search: Schema.optional(search),
      from: Schema.optional(day("The first day, in UTC.")),
      until: Schema.optional(day("The last day, in UTC.")),
      output: Schema.optional(Schema.Literals(["true", "false"])).annotate({
        description: "`false` leaves out the outputs, which may be large."
      })
    },
    success: Schema.Struct({ executions: Schema.Array(ListedExecution), ...page }),
    error: missing
  }).annotateMerge(summary("List executions, newest first")),
  HttpApiEndpoint.get("listDeliveries", "/executions/:id/deliveries", {
    params,
    success: Schema.Struct({ deliveries: Schema.Array(Delivery) }),
    error: missing
  }).annotateMerge(summary("List an execution's webhook deliveries and their attempts")),
  HttpApiEndpoint.post("redeliver", "/deliveries/:id/redeliver", {
    params,
    success: Delivery,
    error: missing
  }).annotateMerge(summary("Send a webhook once more")),
  HttpApiEndpoint.delete("eraseExecution", "/executions/:id", {
    params,
    success: Schema.Struct({ id: Schema.String, erased: Schema.Literal(true) }),
    error: missing
  }).annotateMerge(summary("Erase an execution's document, output and artifacts")),
  HttpApiEndpoint.get("listAudit", "/audit", {
    query: { ...pageParameters, organizationId: Schema.optional(id) },
    success: Schema.Struct({ entries: Schema.Array(AuditEntry), ...page })
  }).annotateMerge(summary("Read the audit log, newest first")),
  HttpApiEndpoint.get("readArchive", "/archives/:month/:kind", {
    params: { month, kind: ArchivedKind },
    query: { after: Schema.optional(Schema.String) },
    success: ArchivePage,
    error: envelope(ValidationFailed)
  }).annotateMerge(summary("Export a month that is over: expired executions, or the audit log")),
  HttpApiEndpoint.post("removeArchived", "/archives/:month/:kind", {
    params: { month, kind: ArchivedKind },
    payload: Schema.Struct({ ids: Schema.Array(Schema.String).check(Schema.isMaxLength(1_000)) }),
    success: Schema.Struct({ removed: Schema.Int }),
    error: envelope(ValidationFailed)
  }).annotateMerge(summary("Remove rows that were exported"))
] as const

/** Organizations, keys, credits, executions, deliveries and users. */
export class AdminApi extends HttpApiGroup.make("admin")
  .add(...organizations, ...keys, ...executions, ...exampleEndpoints, ...userEndpoints)
  .middleware(Contract)
  .middleware(Defects)
  .middleware(AdminGate)
  .prefix("/api/admin/v1")
  .annotateMerge(OpenApi.annotations({ title: "Administration" })) {}
