import { Context, DateTime, Effect, Layer, Option, Predicate, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import type { CorrectedField } from "../../domain/Corrections.ts"
import { FieldEvidence } from "../../domain/Evidence.ts"
import { LearnedExample, type LayoutWord } from "../../domain/LearnedExample.ts"
import type { StepRecord } from "../../engine/StepRecord.ts"
import { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { LearnedExamples } from "../../providers/examples/LearnedExamples.ts"
import { json } from "../../sql/Json.ts"
import { pagesOf } from "../pages/PagesOfRecords.ts"
import { keysOf } from "./ExampleKeys.ts"
import { taughtBy } from "./TeachExample.ts"

const Rows = Schema.Array(LearnedExample)

/** The maximum number of examples that an extraction compares with its document. */
const mostSimilar = 5

/** The number of examples that are ranked by their keys: some of them may be switched off. */
const mostRanked = 50

/**
 * The maximum number of examples that are counted for a key, the newest ones: a key may be shared by all examples of a
 * layout, and by some of others.
 */
const mostOfKey = 1000

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
        if (taught === undefined) return
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
      })

      const learn = Effect.fn("Examples.learn")(function* (from: Learned) {
        const steps = new Set(from.corrections.map(({ step }) => step))
        for (const { output, path } of from.records) {
          if (steps.has(path) && Predicate.isObject(output)) yield* learnStep(from, path, output)
        }
      })

      return Examples.of({ learn })
    })
  )

  /** The examples of the organization that an execution belongs to, for the steps. */
  static readonly layerSource = Layer.effect(
    LearnedExamples,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const similar = Effect.fn("Examples.similar")(
        function* (executionId: string, words: ReadonlyArray<LayoutWord>) {
          const [owner] = yield* sql<{ organization_id: string; environment: string }>`
            select organization_id, environment from executions where id = ${executionId}`
          if (owner === undefined || words.length === 0) return []
          const keys = keysOf(owner.organization_id, owner.environment, words)
          const rows = yield* sql`
            with wanted as materialized (
              select hashtextextended(key, 0) as key from json_array_elements_text(${json(sql, keys)}::json) as key
            ), alike as materialized (
              select number, count(*) as shared from wanted cross join lateral (
                select number from example_keys where example_keys.key = wanted.key
                order by number desc limit ${mostOfKey}::int
              ) as found
              group by number order by shared desc, number desc limit ${mostRanked}::int
            )
            select id, words, fields from alike join examples using (number)
            where enabled and organization_id = ${owner.organization_id} and environment = ${owner.environment}
              and execution_id is distinct from ${executionId}
            order by shared desc, created_at desc limit ${mostSimilar}::int`
          return yield* Effect.orDie(Schema.decodeUnknownEffect(Rows)(rows))
        },
        Effect.catchTag("SqlError", (cause) => Effect.fail(new BlobStoreFailure({ cause })))
      )
      /** Lost if the database fails: a mere statistic must not fail an extraction. */
      const used = Effect.fn("Examples.used")((id: string) =>
        Effect.ignore(
          Effect.flatMap(
            DateTime.nowAsDate,
            (now) => sql`update examples set uses = uses + 1, last_used_at = ${now} where id = ${id}`
          )
        )
      )
      return { similar, used }
    })
  )
}
