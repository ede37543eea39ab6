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

/** Found among the documents that are kept, which are few: two indexes have the executions with one. */
const named = (sql: SqlClient.SqlClient, organizationId: string, pattern: string) => sql`id = any(array(
  select e.id from executions e where e.organization_id = ${organizationId} and e.document->>'filename' ilike ${pattern}
    and e.environment in ('live', 'test') and e.document is not null
    and (e.ended_at is not null or e.status in ('pending', 'running'))))`

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
      : [isId ? sql`id = ${search.trim()}` : named(sql, organizationId, pattern)]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`created_at < ${until}`])
  ])
}
