import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { Blobs, type BlobStoreFailure } from "../providers/blobs/Blobs.ts"

/** What an execution keeps a blob for. */
export type Purpose = "document" | "result"

type Failure = SqlError.SqlError | BlobStoreFailure

/**
 * Which execution needs which blob. Equal bytes are one blob, so it is removed when the last execution lets go of it; a
 * lock on its name keeps that apart from another execution that is just taking it up.
 */
export class BlobUses extends Context.Service<
  BlobUses,
  {
    /** Whether the database stores blobs itself: then a statement may store one with its use. */
    readonly inDatabase: boolean
    /**
     * Stores bytes under their SHA-256 and runs `use`, which records in the database who uses them. Bytes that nobody
     * uses in the end are removed.
     */
    storing<A, E, R>(
      blob: string,
      bytes: Uint8Array,
      use: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | Failure, R>
    /** Keeps bytes for an execution; returns their name. */
    keep(bytes: Uint8Array, executionId: string, purpose: Purpose): Effect.Effect<string, Failure>
    /**
     * Holds what an execution keeps until the caller's transaction ends, and names it: nobody removes it meanwhile, and
     * another execution can share it.
     */
    hold(executionId: string): Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
    /** Keeps a blob that the caller holds for one more execution. */
    share(blob: string, executionId: string, purpose: Purpose): Effect.Effect<void, SqlError.SqlError>
    /** The kept blobs, of those whose names begin with these two digits, that no execution uses. */
    unused(prefix: string): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError | BlobStoreFailure>
    /** Removes a blob unless an execution uses it. */
    dropUnused(blob: string): Effect.Effect<void, SqlError.SqlError | BlobStoreFailure>
    /** Lets go of everything that an execution keeps for these purposes. */
    release(executionId: string, purposes: ReadonlyArray<Purpose>): Effect.Effect<void, Failure>
  }
>()("docflow/engine/BlobUses") {
  static readonly layer = Layer.effect(
    BlobUses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blobs = yield* Blobs
      const lock = (blob: string) => sql`select pg_advisory_xact_lock(hashtextextended(${blob}, 0))`

      const share = (blob: string, executionId: string, purpose: Purpose) =>
        Effect.asVoid(sql`select keep_blob(${blob}, ${executionId}, ${purpose})`)

      /** The caller is in a transaction. */
      const removeIfUnused = Effect.fnUntraced(function* (blob: string) {
        const others = yield* sql`select 1 from blob_uses where blob = ${blob} limit 1`
        if (others.length === 0) yield* blobs.remove(blob)
      })

      const dropUnused = (blob: string) =>
        sql.withTransaction(Effect.andThen(lock(blob), removeIfUnused(blob)))

      const storing = <A, E, R>(blob: string, bytes: Uint8Array, use: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          yield* blobs.put(bytes, blob)
          const used = yield* use.pipe(Effect.tapError(() => Effect.ignore(dropUnused(blob))))
          // Its last user may have let go of it just before the new use was recorded; from now on nobody removes it.
          if (!(yield* blobs.has(blob))) yield* blobs.put(bytes, blob)
          return used
        })

      const keep = Effect.fn("BlobUses.keep")(function* (
        bytes: Uint8Array,
        executionId: string,
        purpose: Purpose
      ) {
        const blob = hash("sha256", bytes)
        yield* storing(blob, bytes, share(blob, executionId, purpose))
        return blob
      })

      const releaseOne = (blob: string, executionId: string, purposes: ReadonlyArray<Purpose>) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* lock(blob)
            yield* sql`
              delete from blob_uses
              where blob = ${blob} and execution_id = ${executionId} and ${sql.in("purpose", purposes)}`
            yield* removeIfUnused(blob)
          })
        )

      const release = Effect.fn("BlobUses.release")(function* (
        executionId: string,
        purposes: ReadonlyArray<Purpose>
      ) {
        const held = yield* sql<{ blob: string }>`
          select distinct blob from blob_uses
          where execution_id = ${executionId} and ${sql.in("purpose", purposes)}`
        yield* Effect.forEach(held, ({ blob }) => releaseOne(blob, executionId, purposes), { discard: true })
      })

      const used = (executionId: string) =>
        Effect.map(
          sql<{ blob: string }>`
            select distinct blob from blob_uses where execution_id = ${executionId} order by blob`,
          (rows) => rows.map(({ blob }) => blob)
        )

      const hold = Effect.fn("BlobUses.hold")(function* (executionId: string) {
        // In the order of their names, so that two that hold the same blobs cannot wait for each other.
        yield* Effect.forEach(yield* used(executionId), lock, { discard: true })
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
