import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Documents are stored as they are: most are compressed already, and for the others PostgreSQL's own compression costs 20 to
 * 30 ms of CPU time a megabyte, which is more than everything else about a run. Blobs from before stay as they are.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table blobs alter column bytes set storage external`
})
