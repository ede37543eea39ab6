import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { LlmAnswer } from "../../providers/llm/Llm.ts"
import type { KeptAnswers } from "../../providers/llm/ModelRun.ts"
import { json } from "../../sql/Json.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

const Row = Schema.Struct({
  request: Schema.String,
  value: Schema.Unknown,
  input_tokens: Schema.Finite,
  output_tokens: Schema.Finite,
  model: Schema.NullOr(Schema.String)
})

const answerOf = (row: typeof Row.Type): LlmAnswer => ({
  value: row.value,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  ...(row.model === null ? {} : { model: row.model })
})

/**
 * The answers of models to an execution, kept with its outputs: whoever tries it again, after a crash or as a replay,
 * pays only for what was not answered. An execution that `isNew` has none yet.
 */
export const makeKeptAnswers = Effect.map(SqlClient.SqlClient, (sql) =>
  Effect.fnUntraced(function* (executionId: string, isNew: boolean) {
    const rows = isNew
      ? []
      : yield* Effect.flatMap(
          sql`
              select request, value, input_tokens, output_tokens, model
              from model_answers where execution_id = ${executionId}`,
          (found) => decodeRows(Row, found)
        )
    const kept: KeptAnswers = {
      byRequest: new Map(rows.map((row) => [row.request, answerOf(row)])),
      // The lock lets an erasure that is under way end first.
      keep: (request, { inputTokens, model, outputTokens, value }) =>
        sql`
            with kept as (select id from executions where id = ${executionId} and erased_at is null for share)
            insert into model_answers (execution_id, request, value, input_tokens, output_tokens, model)
            select id, ${request}, ${json(sql, value)}, ${inputTokens}::int, ${outputTokens}::int, ${model ?? null}::text
            from kept on conflict do nothing`.pipe(
          Effect.catch(({ message }) => Effect.logWarning("An answer of a model was not kept", message)),
          Effect.asVoid
        )
    }
    return kept
  })
)
