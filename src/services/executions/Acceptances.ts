import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeBatches } from "../../sql/Batches.ts"
import { type Acceptance, acceptTogether, type Verdict } from "./NewExecution.ts"

/** Accepts executions; concurrent ones share a statement and a commit. */
export class Acceptances extends Context.Service<
  Acceptances,
  {
    /** Must not be called in a transaction. */
    send(acceptance: Acceptance): Effect.Effect<Verdict, SqlError.SqlError>
  }
>()("docflow/Acceptances") {
  static readonly layer = Layer.effect(
    Acceptances,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { send } = yield* makeBatches<Acceptance, Verdict>({
        statement: (acceptances) =>
          Effect.provideService(acceptTogether(acceptances), SqlClient.SqlClient, sql),
        keyOf: ({ organization }) => organization,
        sizeOf: ({ members }) => members.length
      })
      return Acceptances.of({ send })
    })
  )
}
