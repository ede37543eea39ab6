import type { SqlClient } from "effect/sql"
import type { ExecutionStatus } from "../../domain/Execution.ts"
import type { Environment } from "../../domain/Organization.ts"

/** The filter for listing an organization's executions. */
export interface ExecutionFilter {
  readonly status?: ExecutionStatus | undefined
  readonly flowId?: string | undefined
  readonly environment?: Environment | undefined
  /** A part of the name of the document, or the id. */
  readonly search?: string | undefined
  /** Accepted at or after `from`, and before `until`. */
  readonly from?: Date | undefined
  readonly until?: Date | undefined
  readonly limit: number
  readonly offset: number
}

/** The SQL condition for a filter on an organization's executions. */
export const matching = (sql: SqlClient.SqlClient, organizationId: string, filter: ExecutionFilter) => {
  const { environment, flowId, from, search, status, until } = filter
  const pattern = `%${(search ?? "").replace(/[\\%_]/gu, "\\$&")}%`
  return sql.and([
    sql`organization_id = ${organizationId}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(flowId === undefined ? [] : [sql`flow_id = ${flowId}`]),
    ...(environment === undefined ? [] : [sql`environment = ${environment}`]),
    ...(search === undefined ? [] : [sql`(document->>'filename' ilike ${pattern} or id = ${search.trim()})`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}`])
  ])
}
