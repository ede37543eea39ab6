import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import { forgetSteps } from "../../engine/journal/ForgetSteps.ts"
import { Audit } from "../storage/Audit.ts"

/**
 * Removes everything that an execution received and produced, and records that, in one transaction. Bytes are removed
 * first: an execution that still names them is erased again, while bytes without an execution would be lost track of.
 */
export const forgetExecution = Effect.fn("Executions.forget")(function* (
  executionId: string,
  organizationId: string
) {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const audit = yield* Audit
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* uses.release([executionId], ["document", "result"])
      yield* sql`
        update executions set document = null, output = null, metadata = null, variables = '{}', error = null,
          webhook_url = null, webhook_secret = null, erased_at = now()
        where id = ${executionId}`
      // The URL may contain a token; the log keeps the times and results of attempts.
      yield* sql`update deliveries set url = '' where execution_id = ${executionId}`
      // A request with its key makes a new execution.
      yield* sql`delete from idempotency_keys where execution_id = ${executionId}`
      yield* sql`delete from examples where execution_id = ${executionId}`
      yield* sql`delete from corrections where execution_id = ${executionId}`
      yield* sql`delete from step_results where execution_id = ${executionId}`
      yield* forgetSteps(sql, [executionId])
      yield* audit.record({ action: "execution.erased", subject: executionId, organizationId })
    })
  )
})
