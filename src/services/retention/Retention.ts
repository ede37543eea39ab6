import { Context, Effect, Layer, Result, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { BlobUses, type Purpose } from "../../engine/journal/BlobUses.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { RateLimits } from "../admission/RateLimits.ts"
import { addUsage } from "../../engine/journal/AddUsage.ts"
import { forgetSteps } from "../../engine/journal/ForgetSteps.ts"
import { anyOf } from "../../sql/AnyOf.ts"
import { isForgotten, removeExecutions } from "./RemoveExecutions.ts"
import { countFailures, countRemoved, reportBacklog, reportTables } from "./SweepMetrics.ts"

/** The maximum number of executions in a transaction. */
const batchSize = 200
/** The maximum number of batches of an organization and kind in a sweep, so that all have their turn. */
const mostBatches = 50

/** Executions of which something is kept for too long, and how it is removed. */
interface Kind {
  readonly name: string
  /** A condition on `e`, the execution, and `o`, its organization. */
  readonly isDue: Fragment
  /** The column in whose order they are found in an index. */
  readonly by: "ended_at" | "created_at"
  /** Removes it, of a batch of executions that are locked. */
  readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError.SqlError | BlobStoreFailure>
}

/** Blobs are removed before the commit: after a crash, the execution still names them and is swept again. */
const kindsOf = (
  sql: SqlClient.SqlClient,
  uses: BlobUses["Service"],
  executionDays: number | undefined
): ReadonlyArray<Kind> => {
  const documents: Kind = {
    name: "documents",
    by: "ended_at",
    isDue: sql`(e.document is not null or not e.is_added_up)
      and e.ended_at <= now() - o.document_retention_hours * interval '1 hour'`,
    remove: (ids) =>
      Effect.all(
        [
          uses.release(ids, ["document"]),
          addUsage(sql, ids),
          sql`update executions set document = null, is_added_up = true where id = ${anyOf(sql, ids)}`
        ],
        { discard: true }
      )
  }
  const outputs: Kind = {
    name: "outputs",
    by: "ended_at",
    isDue: sql`e.output_expired_at is null
      and e.ended_at <= now() - o.output_retention_days * interval '1 day'`,
    remove: Effect.fnUntraced(function* (ids) {
      const these = anyOf(sql, ids)
      yield* uses.release(ids, ["result"])
      yield* forgetSteps(sql, ids)
      yield* sql`delete from corrections where execution_id = ${these}`
    })
  }
  if (executionDays === undefined) return [documents, outputs]
  // Those that keep something for longer are left out by their time: they would be looked at in each sweep.
  const before = sql`now() - greatest(
    ${executionDays}::int, o.output_retention_days, o.document_retention_hours / 24) * interval '1 day'`
  const executions: Kind = {
    name: "executions",
    by: "created_at",
    isDue: sql`e.created_at <= ${before} and e.ended_at <= ${before} and ${isForgotten(sql)}`,
    remove: (ids) => removeExecutions(sql, uses, ids)
  }
  return [documents, outputs, executions]
}

/**
 * Works on batch after batch until one is not full. `batch` returns the number of rows that it has removed. One that fails,
 * such as by the time limit of a statement, is tried again with a quarter of its rows.
 */
const untilDone = <E>(most: number, batch: (size: number) => Effect.Effect<number, E>) =>
  Effect.gen(function* () {
    let size = most
    for (let round = 0; round < mostBatches; round++) {
      const removed = yield* Effect.result(batch(size))
      if (Result.isSuccess(removed) && removed.success < size) return
      if (Result.isFailure(removed) && size === 1) return yield* Effect.fail(removed.failure)
      size = Result.isSuccess(removed) ? Math.min(most, size * 2) : Math.ceil(size / 4)
    }
  })

/** Whatever fails is tried again in the next sweep, and keeps nothing else from being removed. */
const logged = <E extends { readonly message: string }>(what: string, effect: Effect.Effect<void, E>) =>
  Effect.andThen(
    countFailures(what, 0),
    Effect.catch(effect, (error) =>
      Effect.andThen(countFailures(what, 1), Effect.logWarning(`Removing old ${what} failed`, error.message))
    )
  )

/**
 * Removes what is due, of one organization after the other: each is found in an index, so that it costs what is removed. A batch
 * is a transaction, which locks executions that have ended and nothing that a run waits for; those that another process is
 * sweeping are skipped.
 */
const removeDue = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { by, isDue, name, remove }: Kind) {
  const order = sql`order by e.${sql(by)}`
  const found = yield* sql<{ id: string; environment: string }>`
    select o.id, x.environment from organizations o cross join (values ('live'), ('test')) x(environment)
    cross join lateral (
      select from executions e where e.organization_id = o.id and e.environment = x.environment and ${isDue} ${order} limit 1
    ) due`
  yield* reportBacklog(name, new Set(found.map(({ id }) => id)).size)
  yield* countRemoved(name, 0)
  for (const { environment, id: organization } of found) {
    const due = (size: number) => sql<{ id: string }>`
      select e.id from executions e join organizations o on o.id = e.organization_id
      where o.id = ${organization} and e.environment = ${environment} and ${isDue} ${order} limit ${size}
      for no key update of e skip locked`
    const batch = Effect.fnUntraced(function* (size: number) {
      const ids = (yield* due(size)).map(({ id }) => id)
      if (ids.length > 0) yield* remove(ids)
      return ids.length
    }, sql.withTransaction)
    const counted = (size: number) => Effect.tap(batch(size), (executions) => countRemoved(name, executions))
    yield* logged(name, untilDone(batchSize, counted))
  }
})

/**
 * Removes stale uses of blobs whose names begin with these digits: of a runner that wrote once more after an erasure, or of
 * a killed process.
 */
const releaseLeftovers = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  uses: BlobUses["Service"],
  prefix: string
) {
  const found = yield* sql<{ id: string; purpose: Purpose }>`
    select distinct u.execution_id as id, u.purpose from blob_uses u join executions e on e.id = u.execution_id
    where u.blob >= ${prefix} and u.blob < ${`${prefix}g`} and ((u.purpose = 'document' and e.document is null)
       or (u.purpose = 'result' and (e.output_expired_at is not null or e.erased_at is not null)))
    limit ${batchSize}`
  for (const { id, purpose } of found) yield* uses.release([id], [purpose])
})

/**
 * Finds blobs that no execution uses, among those whose names begin with these digits. A blob that is just being stored has
 * no use yet, so it is removed only if two rounds find none.
 */
const makeStrayBlobs = Effect.gen(function* () {
  const uses = yield* BlobUses
  const suspects = new Map<string, ReadonlySet<string>>()
  return Effect.fnUntraced(function* (prefix: string) {
    const unused = yield* uses.unused(prefix)
    const before = suspects.get(prefix)
    yield* Effect.forEach(
      unused.filter((blob) => before?.has(blob)),
      (blob) => uses.dropUnused(blob),
      { discard: true }
    )
    suspects.set(prefix, new Set(unused))
  })
})

/** The sizes of tables are reported once in this number of sweeps. */
const reportRounds = 6
/** Idempotency keys that are removed together. */
const mostKeys = 5_000

/**
 * Removes data after its retention: documents (24 hours after the end by default), outputs, artifacts and corrections
 * (30 days), idempotency keys (24 hours), and, if a number of days is set, the executions themselves.
 */
export class Retention extends Context.Service<
  Retention,
  {
    readonly sweep: Effect.Effect<void>
  }
>()("docflow/Retention") {
  /** `executionDays`: the number of days after their end for which executions are kept; undefined: always. */
  static readonly layer = (executionDays: number | undefined) =>
    Layer.effect(
      Retention,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const uses = yield* BlobUses
        const rates = yield* RateLimits
        const removeStrays = yield* makeStrayBlobs
        const kinds = kindsOf(sql, uses, executionDays)
        let round = 0
        const sweep = Effect.gen(function* () {
          for (const kind of kinds) yield* logged(kind.name, removeDue(sql, kind))
          if (round % reportRounds === 0)
            yield* logged("measurements", Effect.provideService(reportTables, SqlClient.SqlClient, sql))
          // Of blobs, a sweep looks at one 256th.
          const prefix = (round++ % 256).toString(16).padStart(2, "0")
          yield* logged("leftovers", releaseLeftovers(sql, uses, prefix))
          yield* logged("blobs", removeStrays(prefix))
          const keys = (size: number) => sql`
            delete from idempotency_keys where ctid = any(array(
              select ctid from idempotency_keys where created_at <= now() - interval '24 hours' limit ${size}))
            returning 1`
          yield* logged(
            "idempotency keys",
            untilDone(mostKeys, (size) => Effect.map(keys(size), ({ length }) => length))
          )
          yield* logged("rate limits", rates.sweep)
        }).pipe(Effect.withSpan("Retention.sweep"))

        return Retention.of({ sweep })
      })
    )

  /** Sweeps every ten seconds. */
  static readonly layerSweeping = (executionDays: number | undefined) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const retention = yield* Retention
        yield* retention.sweep.pipe(Effect.repeat(Schedule.spaced("10 seconds")), Effect.forkScoped)
      })
    ).pipe(Layer.provide(Retention.layer(executionDays)))
}
