import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** How far beyond the start of a page rows are counted: a list costs what is shown of it, however long it is. */
const most = 1_001

/**
 * The number of rows that `from` and its conditions find, counted up to 1,001 beyond the start of a page: whoever reads page
 * after page until there are no more comes to the end. The statement is planned for its values: without them, PostgreSQL
 * expects that a limit asks for a tenth of a table, and would rather read all of it.
 */
export const someCounted = (
  sql: SqlClient.SqlClient,
  from: Fragment,
  offset: number
): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    sql<{
      total: number
    }>`select count(*)::int as total from (select 1 ${from} limit ${offset + most}) counted`.unprepared,
    ([row]) => row?.total ?? 0
  )
