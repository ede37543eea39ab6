import { Context, Effect, Layer } from "effect"
import type { Deferred } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeBatches } from "../sql/Batches.ts"
import { jsonText } from "../sql/Json.ts"

/** A write of a runner, as the database function `write_execution` takes it. */
export type Write =
  | { readonly act: "start"; readonly owed: number }
  | { readonly act: "begin"; readonly step: string; readonly percentage: number }
  | {
      readonly act: "record"
      readonly step: string
      readonly kind: string
      readonly status: string
      readonly started: Date
      readonly duration: number
      readonly attempts: number
      readonly percentage: number
      /** Number of fields that the step wants a person to look at. */
      readonly review: number
      readonly output: unknown
      readonly blob: string | undefined
      readonly error: unknown
      /** What the log says of the step. */
      readonly entry: { readonly [name: string]: unknown }
    }
  | {
      readonly act: "end"
      readonly status: string
      readonly output: unknown
      readonly error: unknown
      /** The id of the delivery, should there be a webhook to send. */
      readonly delivery: string
    }

/** What became of a write. */
export interface Written {
  /** False when the execution had ended before. */
  readonly done: boolean
  /** Of a start: the execution. */
  readonly begun: unknown
  /** Of an end: whether there is a webhook to send. */
  readonly webhook: boolean | null
}

interface Item {
  readonly execution: string
  /** The write as members of a JSON object, without braces. */
  readonly members: string
}

/**
 * Writes what runners do. The writes of all executions that run in this process share statements and commits; those of one
 * execution take effect in their order, and none after one that failed.
 */
export class ExecutionWrites extends Context.Service<
  ExecutionWrites,
  {
    /** Writes, and waits until that is committed. `at` is when it happened. */
    write(executionId: string, at: Date, write: Write): Effect.Effect<Written, SqlError.SqlError>
    /** Writes; what it returns completes once that is committed. */
    offer(
      executionId: string,
      at: Date,
      write: Write
    ): Effect.Effect<Deferred.Deferred<Written, SqlError.SqlError>>
  }
>()("docflow/engine/ExecutionWrites") {
  static readonly layer = Layer.effect(
    ExecutionWrites,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const batches = yield* makeBatches<Item, Written>({
        statement: (items) => statement(sql, items),
        keyOf: ({ execution }) => execution,
        sizeOf: ({ members }) => members.length
      })
      return ExecutionWrites.of({
        write: (executionId, at, write) => batches.send(itemOf(executionId, at, write)),
        offer: (executionId, at, write) => batches.offer(itemOf(executionId, at, write))
      })
    })
  )
}

const itemOf = (execution: string, moment: Date, write: Write): Item => ({
  execution,
  members: jsonText({ execution, moment, ...write }).slice(1, -1)
})

/**
 * Ends come last, in the order of their organizations: they lock them, and two processes that lock the same ones in the same
 * order do not wait for each other in a circle.
 */
const statement = (sql: SqlClient.SqlClient, items: ReadonlyArray<Item>) =>
  Effect.map(
    sql<Written & { readonly n: number }>`
      select w.n, written.done, written.begun, written.webhook
      from (
        select x.*
        from json_to_recordset(${`[${items.map(({ members }, n) => `{"n":${n},${members}}`).join(",")}]`}::text::json) as x(
          n int, act text, execution text, moment timestamptz, step text, percentage real, owed int, kind text,
          status text, started timestamptz, duration float8, attempts int, review int, output json, blob text,
          error json, entry json, delivery text)
        order by x.act = 'end',
          case when x.act = 'end' then (select organization_id from executions where id = x.execution) end,
          x.execution, x.n
      ) w cross join lateral write_execution(
        act => w.act, execution => w.execution, moment => w.moment, step => w.step, percentage => w.percentage,
        owed => w.owed, kind => w.kind, status => w.status, started => w.started, duration => w.duration,
        attempts => w.attempts, review => w.review, output => w.output, blob => w.blob, error => w.error,
        entry => w.entry, delivery => w.delivery) written`,
    (rows) => rows.toSorted((a, b) => a.n - b.n)
  )
