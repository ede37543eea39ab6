import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sha256 } from "../support/Sha256.ts"
import { BlobMissing, Blobs, BlobStoreFailure, compared, isBlobName } from "../providers/blobs/Blobs.ts"
import { inSpan } from "../support/InSpan.ts"

const failure = (cause: unknown) => new BlobStoreFailure({ cause })

/** Blobs in a table of the database, so that nodes need no other shared storage. */
export const layer = Layer.effect(
  Blobs,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const put = Effect.fnUntraced(
      function* (bytes: Uint8Array, known?: string) {
        const blob = known ?? (yield* sha256(bytes))
        // Locks the row of a damaged blob only.
        yield* sql`insert into blobs (blob, bytes)
          select ${blob}, ${bytes}::bytea where not exists (select from blobs where blob = ${blob} and bytes = ${bytes}::bytea)
          on conflict (blob) do update set bytes = excluded.bytes`
        return blob
      },
      Effect.mapError(failure),
      inSpan("Blobs.put")
    )

    const has = (blob: string) =>
      sql`select 1 from blobs where blob = ${blob}`.pipe(
        Effect.mapBoth({ onFailure: failure, onSuccess: (rows) => rows.length > 0 })
      )

    const get = Effect.fn("Blobs.get")(function* (blob: string) {
      // PostgreSQL cannot compare a name that contains U+0000.
      if (!isBlobName(blob)) return yield* new BlobMissing({ blob })
      const rows = yield* Effect.mapError(
        sql<{ bytes: Uint8Array }>`select bytes from blobs where blob = ${blob}`,
        failure
      )
      return yield* compared(blob, rows[0]?.bytes ?? (yield* new BlobMissing({ blob })))
    })

    const remove = Effect.fn("Blobs.remove")(function* (blob: string) {
      if (isBlobName(blob)) yield* sql`delete from blobs where blob = ${blob}`
    }, Effect.mapError(failure))

    const list = (prefix: string) =>
      sql<{ blob: string }>`select blob from blobs where blob >= ${prefix} and blob < ${`${prefix}g`}`.pipe(
        Effect.mapBoth({ onFailure: failure, onSuccess: (rows) => rows.map(({ blob }) => blob) })
      )

    return Blobs.of({ inDatabase: true, put, has, get, remove, list })
  })
)
