import { Context, DateTime, Effect, Layer, Option, Predicate, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { layoutWords } from "../../extraction/examples/Layout.ts"
import type { CorrectedField, TaughtValue } from "../../domain/Corrections.ts"
import { FieldEvidence } from "../../domain/Evidence.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { json } from "../../sql/Json.ts"
import { pagesOf } from "../pages/PagesOfRecords.ts"
import { keysOf } from "./ExampleKeys.ts"
import { examplesLike } from "./SimilarExamples.ts"
import { taughtValues } from "./TaughtValues.ts"
import { taughtBy } from "./TeachExample.ts"

const decodeFields = Schema.decodeUnknownOption(
  Schema.Struct({ fields: Schema.Record(Schema.String, FieldEvidence) })
)

/** The execution that was corrected, and its organization. */
interface Learned {
  readonly executionId: string
  readonly organizationId: string
  readonly environment: string
  readonly flowId: string
  readonly records: ReadonlyArray<StepRecord>
  readonly corrections: ReadonlyArray<CorrectedField>
}

/**
 * Examples learned from documents that people checked. One document is enough, and takes effect immediately, for its
 * own organization.
 */
export class Examples extends Context.Service<
  Examples,
  {
    /** Learns from the corrections of an execution, and replaces what was learned from it before. */
    learn(from: Learned): Effect.Effect<void, SqlError.SqlError>
    /** The fields that an execution taught, as `<step> <field>`. */
    learnedFrom(executionId: string): Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
    /** What other checked documents of the same layout say of the fields of an execution. */
    taught<E>(
      executionId: string,
      records: Effect.Effect<ReadonlyArray<StepRecord>, E>
    ): Effect.Effect<ReadonlyArray<Omit<TaughtValue, "step">>, E | SqlError.SqlError>
  }
>()("docflow/Examples") {
  static readonly layer = Layer.effect(
    Examples,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const learnStep = Effect.fnUntraced(function* (from: Learned, step: string, output: unknown) {
        const { fields } = Option.getOrElse(decodeFields(output), () => ({ fields: {} }))
        const own = from.corrections.filter((correction) => correction.step === step)
        const taught = taughtBy(fields, own, pagesOf(from.records))
        if (taught === undefined) return []
        const { words } = taught
        const keys = keysOf(from.organizationId, from.environment, words)
        yield* sql`
          insert into examples
            (id, execution_id, organization_id, environment, step, flow_id, created_at, keys, words, fields)
          select ${`ex_${yield* random.ulid}`}, id, organization_id, environment, ${step}, flow_id,
            ${yield* DateTime.nowAsDate}::timestamptz,
            (select array_agg(key) from json_array_elements_text(${json(sql, keys)}::json) as key),
            ${json(sql, words)}::json, ${json(sql, taught.fields)}::json
          from executions where id = ${from.executionId} and erased_at is null and ${keys.length}::int > 0
          on conflict (execution_id, step) do update
            set fields = excluded.fields, created_at = excluded.created_at`
        return [step]
      })

      const learn = Effect.fn("Examples.learn")(function* (from: Learned) {
        const steps = new Set(from.corrections.map(({ step }) => step))
        const learned: Array<string> = []
        for (const { output, path } of from.records) {
          if (steps.has(path) && Predicate.isObject(output))
            learned.push(...(yield* learnStep(from, path, output)))
        }
        // What was learned from corrections that have been reverted goes.
        yield* sql`
          delete from examples where execution_id = ${from.executionId}
            and step not in (select json_array_elements_text(${json(sql, learned)}::json))`
      })

      const learnedFrom = Effect.fnUntraced(function* (executionId: string) {
        const rows = yield* sql<{ name: string }>`
          select step || ' ' || field as name from examples, json_object_keys(fields) as field
          where execution_id = ${executionId}`
        return new Set(rows.map(({ name }) => name))
      })

      const taught = Effect.fnUntraced(function* <E>(
        executionId: string,
        records: Effect.Effect<ReadonlyArray<StepRecord>, E>
      ) {
        const [any] = yield* sql`
          select from executions run where id = ${executionId} and exists (
            select from examples one where one.organization_id = run.organization_id
              and one.environment = run.environment and one.execution_id is distinct from run.id)`
        if (any === undefined) return []
        const pages = pagesOf(yield* records)
        const first = pages.get(1)
        return first === undefined
          ? []
          : taughtValues(yield* examplesLike(sql, executionId, layoutWords(first)), pages)
      })

      return Examples.of({ learn, learnedFrom, taught })
    })
  )
}
