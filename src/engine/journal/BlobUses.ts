import { Array, Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sha256 } from "../../support/Sha256.ts"
import { Blobs, type BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { anyOf } from "../../sql/AnyOf.ts"

/** The purpose for which an execution keeps a blob. */
export type Purpose = "document" | "result"

type Failure = SqlError.SqlError | BlobStoreFailure

/** The number of blobs that are locked and released together. */
const releasedTogether = 50

/**
 * Records which execution needs which blob. Equal bytes are one blob, which is removed when the last execution releases
 * it; a lock on its name serializes this with an execution that is about to use it.
 */
export class BlobUses extends Context.Service<
  BlobUses,
  {
    /** Whether the database stores blobs itself, so that one statement can store a blob with its use. */
    readonly inDatabase: boolean
    /**
     * Stores bytes under their SHA-256 and runs `use`, which records their user in the database. Removes them if nobody
     * uses them in the end.
     */
    storing<A, E, R>(
      blob: string,
      bytes: Uint8Array,
      use: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | Failure, R>
    /** Keeps bytes for an execution; returns their name. */
    keep(bytes: Uint8Array, executionId: string, purpose: Purpose): Effect.Effect<string, Failure>
    /**
     * Locks the blobs of an execution until the caller's transaction ends, and returns their names: meanwhile, nobody
     * removes them, and another execution can share them.
     */
    hold(executionId: string): Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
    /** Keeps a blob that the caller holds for one more execution. */
    share(blob: string, executionId: string, purpose: Purpose): Effect.Effect<void, SqlError.SqlError>
    /** The stored blobs that no execution uses, among those whose names begin with these two digits. */
    unused(prefix: string): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError | BlobStoreFailure>
    /** Removes a blob unless an execution uses it. */
    dropUnused(blob: string): Effect.Effect<void, SqlError.SqlError | BlobStoreFailure>
    /** Releases everything that executions keep for these purposes. */
    release(
      executionIds: ReadonlyArray<string>,
      purposes: ReadonlyArray<Purpose>
    ): Effect.Effect<void, Failure>
  }
>()("docflow/engine/BlobUses") {
  static readonly layer = Layer.effect(
    BlobUses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blobs = yield* Blobs
      /** Locks blobs in the given order. */
      const lock = (names: ReadonlyArray<string>) => sql`
        select pg_advisory_xact_lock(hashtextextended(blob, 0))
        from json_array_elements_text(${JSON.stringify(names)}::text::json) blob`

      const share = (blob: string, executionId: string, purpose: Purpose) =>
        Effect.asVoid(sql`select keep_blob(${blob}, ${executionId}, ${purpose})`)

      /** The caller is in a transaction. */
      const removeIfUnused = Effect.fnUntraced(function* (blob: string) {
        const others = yield* sql`select 1 from blob_uses where blob = ${blob} limit 1`
        if (others.length === 0) yield* blobs.remove(blob)
      })

      const dropUnused = (blob: string) =>
        sql.withTransaction(Effect.andThen(lock([blob]), removeIfUnused(blob)))

      const storing = <A, E, R>(blob: string, bytes: Uint8Array, use: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          yield* blobs.put(bytes, blob)
          const used = yield* use.pipe(Effect.tapError(() => Effect.ignore(dropUnused(blob))))
          // Its last user may have released it just before the new use was recorded; from now on, nobody removes it.
          if (!(yield* blobs.has(blob))) yield* blobs.put(bytes, blob)
          return used
        })

      const keep = Effect.fn("BlobUses.keep")(function* (
        bytes: Uint8Array,
        executionId: string,
        purpose: Purpose
      ) {
        const blob = yield* sha256(bytes)
        yield* storing(blob, bytes, share(blob, executionId, purpose))
        return blob
      })

      const releaseSome = (
        names: ReadonlyArray<string>,
        executionIds: ReadonlyArray<string>,
        purposes: ReadonlyArray<Purpose>
      ) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* lock(names)
            const released = yield* sql<{ blob: string }>`
              delete from blob_uses where blob = ${anyOf(sql, names)}
                and execution_id = ${anyOf(sql, executionIds)} and purpose = ${anyOf(sql, purposes)}
              returning blob`
            if (released.length === 0) return
            const used = yield* sql<{ blob: string }>`
              select distinct blob from blob_uses where blob = ${anyOf(sql, names)}`
            const kept = new Set(used.map(({ blob }) => blob))
            yield* Effect.forEach(
              names.filter((name) => !kept.has(name)),
              (name) => blobs.remove(name),
              { discard: true, concurrency: 8 }
            )
          })
        )

      const release = Effect.fn("BlobUses.release")(function* (
        executionIds: ReadonlyArray<string>,
        purposes: ReadonlyArray<Purpose>
      ) {
        // In the order of their names, so that two that release the same blobs cannot wait for each other.
        const held = yield* sql<{ blob: string }>`
          select distinct blob from blob_uses
          where execution_id = ${anyOf(sql, executionIds)} and purpose = ${anyOf(sql, purposes)} order by blob`
        const names = held.map(({ blob }) => blob)
        yield* Effect.forEach(
          Array.chunksOf(names, releasedTogether),
          (some) => releaseSome(some, executionIds, purposes),
          {
            discard: true
          }
        )
      })

      const used = (executionId: string) =>
        Effect.map(
          sql<{ blob: string }>`
            select distinct blob from blob_uses where execution_id = ${executionId} order by blob`,
          (rows) => rows.map(({ blob }) => blob)
        )

      const hold = Effect.fn("BlobUses.hold")(function* (executionId: string) {
        // In the order of their names, so that two that hold the same blobs cannot wait for each other.
        yield* lock(yield* used(executionId))
        return new Set(yield* used(executionId))
      })

      const unused = Effect.fn("BlobUses.unused")(function* (prefix: string) {
        const names = yield* blobs.list(prefix)
        if (names.length === 0) return []
        const rows = yield* sql<{ blob: string }>`
          select distinct blob from blob_uses where ${sql.in("blob", names)}`
        const found = new Set(rows.map(({ blob }) => blob))
        return names.filter((name) => !found.has(name))
      })

      return BlobUses.of({
        inDatabase: blobs.inDatabase,
        storing,
        keep,
        hold,
        share,
        release,
        unused,
        dropUnused
      })
    })
  )
}
