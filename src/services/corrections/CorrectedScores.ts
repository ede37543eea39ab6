import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { CorrectedScore } from "../../domain/CorrectedScore.ts"
import { CorrectedField } from "../../domain/Corrections.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import type { Environment } from "../../domain/Organization.ts"
import { Journal } from "../../engine/journal/Journal.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { scoresOf } from "./ScoresOf.ts"
import { settled } from "./SettledCorrections.ts"

const Row = Schema.Struct({
  execution_id: Schema.String,
  fields: Schema.Array(CorrectedField),
  review_open: Schema.Int
})

/** Whose corrections of which version of a flow, and which part of them. */
interface Wanted {
  readonly organizationId: string
  readonly environment: Environment
  readonly flowId: string
  readonly version: string
  readonly limit: number
  readonly offset: number
}

/** What people's corrections say about the scores of a flow. */
export class CorrectedScores extends Context.Service<
  CorrectedScores,
  {
    /** The scores of a part of the corrected executions, oldest first; `total` counts executions. */
    list(
      wanted: Wanted
    ): Effect.Effect<
      { readonly scores: ReadonlyArray<CorrectedScore>; readonly total: number },
      SqlError.SqlError | BlobStoreFailure
    >
  }
>()("docflow/CorrectedScores") {
  static readonly layer = Layer.effect(
    CorrectedScores,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const journal = yield* Journal

      const list = Effect.fn("CorrectedScores.list")(function* (wanted: Wanted) {
        const { environment, flowId, limit, offset, organizationId, version } = wanted
        const from = sql`
          from corrections c join executions e on e.id = c.execution_id
          where e.organization_id = ${organizationId} and e.environment = ${environment} and e.flow_id = ${flowId}
            and e.version = ${version} and e.erased_at is null`
        const [counted] = yield* sql<{ total: number }>`select count(*)::int as total ${from}`
        const rows = yield* sql`
          select c.execution_id, c.fields, e.review_open ${from}
          order by c.execution_id limit ${limit} offset ${offset}`
        const scores = yield* Effect.forEach(
          yield* decodeRows(Row, rows),
          Effect.fnUntraced(function* ({ execution_id, fields, review_open }) {
            // Others come first: a long document takes some milliseconds.
            yield* Effect.yieldNow
            const records = yield* journal.records(execution_id)
            return scoresOf({
              executionId: execution_id,
              fields: settled(fields),
              open: review_open,
              records
            })
          })
        )
        return { scores: scores.flat(), total: counted?.total ?? 0 }
      })

      return CorrectedScores.of({ list })
    })
  )
}
