import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BlobUses } from "../../engine/BlobUses.ts"
import { forgetSteps } from "../../engine/event-log/ForgetSteps.ts"
import { Audit } from "../audit/Audit.ts"

/**
 * Removes everything that an execution received and made, and records that, in one transaction. The bytes go first: an
 * execution that still names them is erased again, one that no longer does is forgotten.
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
      yield* uses.release(executionId, ["document", "result"])
      yield* sql`
        update executions set document = null, output = null, metadata = null, variables = '{}', error = null,
          webhook_url = null, webhook_secret = null, erased_at = now()
        where id = ${executionId}`
      // The address may hold a token; the log keeps when it was tried and how that ended.
      yield* sql`update deliveries set url = '' where execution_id = ${executionId}`
      yield* sql`delete from examples where execution_id = ${executionId}`
      yield* sql`delete from corrections where execution_id = ${executionId}`
      yield* sql`delete from step_results where execution_id = ${executionId}`
      yield* forgetSteps(sql, executionId)
      yield* audit.record({ action: "execution.erased", subject: executionId, organizationId })
    })
  )
})
