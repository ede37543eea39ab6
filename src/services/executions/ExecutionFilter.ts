import type { SqlClient } from "effect/sql"
import type { ExecutionStatus } from "../../domain/Execution.ts"
import type { Environment } from "../../domain/Organization.ts"

/** The filter for listing an organization's executions. */
export interface ExecutionFilter {
  readonly status?: ExecutionStatus | undefined
  readonly flowId?: string | undefined
  readonly environment?: Environment | undefined
  /** The id, or a part of the name of the document. */
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
  const isId = /^\s*exec_[0-9A-Za-z]{26}\s*$/u.test(search ?? "")
  const pattern = `%${(search ?? "").replace(/[\\%_]/gu, "\\$&")}%`
  return sql.and([
    sql`organization_id = ${organizationId}`,
    // Written out, so that the indexes of single states can be used.
    ...(status === undefined ? [] : [sql`status = ${sql.literal(`'${status}'`)}`]),
    ...(flowId === undefined ? [] : [sql`flow_id = ${flowId}`]),
    environment === undefined ? sql`environment in ('live', 'test')` : sql`environment = ${environment}`,
    ...(search === undefined
      ? []
      : [isId ? sql`id = ${search.trim()}` : sql`document->>'filename' ilike ${pattern}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}`])
  ])
}
