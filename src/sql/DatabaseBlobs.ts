import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { BlobMissing, Blobs, BlobStoreFailure } from "../providers/blobs/Blobs.ts"

const failure = (cause: unknown) => new BlobStoreFailure({ cause })

/** Blobs in a table of the database, so that nodes need share nothing else. */
export const layer = Layer.effect(
  Blobs,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const put = Effect.fn("Blobs.put")(function* (bytes: Uint8Array, blob = hash("sha256", bytes)) {
      yield* sql`insert into blobs (blob, bytes) values (${blob}, ${bytes}) on conflict (blob) do nothing`
      return blob
    }, Effect.mapError(failure))

    const has = (blob: string) =>
      sql`select 1 from blobs where blob = ${blob}`.pipe(
        Effect.mapBoth({ onFailure: failure, onSuccess: (rows) => rows.length > 0 })
      )

    const get = Effect.fn("Blobs.get")(function* (blob: string) {
      const rows = yield* Effect.mapError(
        sql<{ bytes: Uint8Array }>`select bytes from blobs where blob = ${blob}`,
        failure
      )
      return rows[0]?.bytes ?? (yield* new BlobMissing({ blob }))
    })

    const remove = Effect.fn("Blobs.remove")(
      (blob: string) => sql`delete from blobs where blob = ${blob}`,
      Effect.asVoid,
      Effect.mapError(failure)
    )

    return Blobs.of({ put, has, get, remove })
  })
)
