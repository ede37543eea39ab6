import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { makeBatches } from "../../sql/Batches.ts"
import { json } from "../../sql/Json.ts"

interface Wanted {
  readonly id: string
  readonly organization: string
  readonly environment: string
}

/** Rows may be large: the size of an item is set so that a statement reads 16 of them. */
const charactersOfRow = 64 * 1024

/** Finds these columns of executions by their ids, for callers that may see them. Concurrent callers share statements. */
export const makeExecutionRows = Effect.fnUntraced(function* (named: string) {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(named)
  const batches = yield* makeBatches<Wanted, { readonly row: unknown }>({
    statement: (items) =>
      Effect.map(
        sql<{ n: number }>`
          select wanted.n, found.*
          from json_to_recordset(${json(
            sql,
            items.map((item, n) => ({ n, ...item }))
          )}) as wanted(n int, id text, organization text, environment text)
          cross join lateral (
            select ${columns} from executions
            where executions.id = wanted.id and organization_id = wanted.organization
              and executions.environment = wanted.environment
            limit 1
          ) found`,
        (rows) => {
          const found = new Map(rows.map((row) => [row.n, row]))
          return items.map((_, n) => ({ row: found.get(n) }))
        }
      ),
    keyOf: ({ id }) => id,
    sizeOf: () => charactersOfRow
  })
  return (id: string, { environment, organizationId }: Caller) =>
    Effect.map(batches.send({ id, organization: organizationId, environment }), ({ row }) => row)
})
