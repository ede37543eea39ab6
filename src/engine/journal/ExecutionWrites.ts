import { Context, Effect, Layer } from "effect"
import type { Deferred } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeBatches } from "../../sql/Batches.ts"
import { jsonText } from "../../sql/Json.ts"
import { Signals } from "../signals/Signals.ts"

/** A write of a runner, as the database function `apply_writes` takes it. */
export type Write =
  | {
      readonly act: "start"
      /** The number of this process's starts to subtract. */
      readonly owed: number
    }
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
      /** The number of fields of the step that need review. */
      readonly review: number
      /** JSON text without line breaks; undefined if there is none, or if it is stored as a blob. */
      readonly output: string | undefined
      readonly blob: string | undefined
      readonly error: unknown
      /** The entry of the log about the step. */
      readonly entry: { readonly [name: string]: unknown }
    }
  | {
      readonly act: "end"
      readonly status: string
      /** JSON text without line breaks. */
      readonly output: string | undefined
      readonly error: unknown
    }

/** The result of a write. */
export interface Written {
  /** False when the execution had ended before. */
  readonly done: boolean
  /** Of a start: the execution. */
  readonly begun: unknown
  /** Of an end: whether there is a webhook to send. */
  readonly webhook: boolean | null
  /** Of an end: the credits that were charged. */
  readonly charged: number | null
}

interface Item {
  readonly execution: string
  readonly act: Write["act"]
  /** The write as members of a JSON object, without braces and without its output. */
  readonly members: string
  /** JSON text, empty if there is none. */
  readonly output: string
}

/**
 * Writes what runners do. The writes of all executions that run in this process share statements and commits; those of
 * one execution take effect in their order, and none after one that failed. Visible changes are announced once they are
 * committed; the end is announced by its writer.
 */
export class ExecutionWrites extends Context.Service<
  ExecutionWrites,
  {
    /** Writes, and waits until that is committed. `at` is when it happened. */
    write(executionId: string, at: Date, write: Write): Effect.Effect<Written, SqlError.SqlError>
    /** Writes; the returned effect completes once that is committed. */
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
      const signals = yield* Signals
      const batches = yield* makeBatches<Item, Written>({
        statement: (items) =>
          Effect.tap(statement(sql, items), (written) =>
            Effect.forEach(changed(items, written), (execution) => signals.announceChange(execution), {
              discard: true
            })
          ),
        keyOf: ({ execution }) => execution,
        sizeOf: ({ members, output }) => members.length + output.length
      })
      return ExecutionWrites.of({
        write: (executionId, at, write) => batches.send(itemOf(executionId, at, write)),
        offer: (executionId, at, write) => batches.offer(itemOf(executionId, at, write))
      })
    })
  )
}

const itemOf = (execution: string, moment: Date, write: Write): Item => {
  const { output = "", ...others } = { output: undefined, ...write }
  return {
    execution,
    act: write.act,
    members: jsonText({ moment, ...others }).slice(1, -1),
    output
  }
}

/** The executions that a batch changed without ending them. */
const changed = (items: ReadonlyArray<Item>, written: ReadonlyArray<Written>): ReadonlySet<string> => {
  const done = items.filter((_, index) => written[index]?.done === true)
  const executions = new Set(done.map(({ execution }) => execution))
  for (const { act, execution } of done) if (act === "end") executions.delete(execution)
  return executions
}

/** The writes of one execution. */
interface Run {
  readonly execution: string
  readonly writes: Array<string>
  /** One for each record and for the end. */
  readonly outputs: Array<string>
}

// JSON text has no control characters.
const betweenOutputs = "\n"
const betweenExecutions = "\u001e"

/**
 * Items of a batch by execution, `n` being their place in it. Outputs are next to the writes instead of in them, because
 * PostgreSQL parses JSON again at each level.
 */
const runsOf = (items: ReadonlyArray<Item>): ReadonlyArray<Run> => {
  const runs = new Map<string, Run>()
  for (const [n, { act, execution, members, output }] of items.entries()) {
    const run = runs.get(execution) ?? { execution, writes: [], outputs: [] }
    run.writes.push(`{"n":${n},${members}}`)
    if (act === "record" || act === "end") run.outputs.push(output)
    runs.set(execution, run)
  }
  return [...runs.values()]
}

const statement = (sql: SqlClient.SqlClient, items: ReadonlyArray<Item>) => {
  const runs = runsOf(items)
  const parted = (parts: ReadonlyArray<string>) =>
    sql`string_to_array(${parts.join(betweenExecutions)}::text, ${betweenExecutions}::text)`
  return Effect.map(
    sql<Written & { readonly n: number }>`
      select n, done, begun, webhook, charged
      from apply_writes(
        ${parted(runs.map(({ execution }) => execution))},
        ${parted(runs.map(({ writes }) => `[${writes.join(",")}]`))},
        ${parted(runs.map(({ outputs }) => outputs.join(betweenOutputs)))})`,
    (rows) => rows.toSorted((a, b) => a.n - b.n)
  )
}
