import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { WebhookEvent } from "../../domain/Delivery.ts"
import { DocumentRef } from "../../domain/Document.ts"
import { ExecutionNotFound } from "../../domain/Errors.ts"
import { ExecutionStatus, Metadata } from "../../domain/Execution.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

const Row = Schema.Struct({
  id: Schema.String,
  flow_id: Schema.String,
  version: Schema.String,
  status: ExecutionStatus,
  document: Schema.NullOr(DocumentRef),
  variables: Schema.Record(Schema.String, Schema.Unknown),
  metadata: Schema.NullOr(Metadata),
  webhook_url: Schema.NullOr(Schema.String),
  webhook_secret: Schema.NullOr(Schema.String),
  webhook_events: Schema.NullOr(Schema.Array(WebhookEvent))
})

/** The execution that a replay continues. */
export type Original = typeof Row.Type

/** Finds an execution of the caller with everything that a replay reuses. */
export const findOriginal = Effect.fnUntraced(function* (caller: Caller, executionId: string) {
  const sql = yield* SqlClient.SqlClient
  // PostgreSQL cannot store U+0000, so there is no such id.
  if (executionId.includes("\u0000")) return yield* notFound(executionId)
  const rows = yield* sql`
    select id, flow_id, version, status, document, variables, metadata, webhook_url,
      encode(webhook_secret, 'base64') as webhook_secret, webhook_events
    from executions
    where id = ${executionId} and organization_id = ${caller.organizationId}
      and environment = ${caller.environment}`
  const [found] = yield* decodeRows(Row, rows)
  return found ?? (yield* notFound(executionId))
})

const notFound = (executionId: string) =>
  new ExecutionNotFound({ message: `Execution not found: ${executionId}` })
