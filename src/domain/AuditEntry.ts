import { Schema } from "effect"

/** The actions in the audit log. */
export const AuditAction = Schema.Literals([
  "organization.created",
  "organization.document-export",
  "organization.models",
  "credits.granted",
  "key.created",
  "key.revoked",
  "execution.run",
  "execution.replayed",
  "execution.cancelled",
  "execution.erased",
  "corrections.saved",
  "document.exported",
  "review.claimed",
  "example.enabled",
  "example.disabled",
  "example.deleted",
  "examples.forgotten",
  "examples.imported",
  "flow.saved",
  "delivery.redelivered",
  "month.archived",
  "user.signed-in",
  "user.created",
  "user.role",
  "user.password",
  "user.disabled",
  "user.enabled",
  "dashboard.signed-in"
])
export type AuditAction = typeof AuditAction.Type

/** An entry of the audit log: who did what to what, when and from where. */
export const AuditEntry = Schema.Struct({
  at: Schema.String,
  action: AuditAction,
  actor: Schema.String,
  subject: Schema.optionalKey(Schema.String),
  organizationId: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Schema.String),
  requestId: Schema.optionalKey(Schema.String)
})
export type AuditEntry = typeof AuditEntry.Type
