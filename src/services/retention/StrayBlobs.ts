import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BlobUses, type Purpose } from "../../engine/journal/BlobUses.ts"
import { batchSize } from "./SweepBatches.ts"

/** Removes stale uses of blobs: of a runner that wrote once more after an erasure, or of a killed process. */
export const releaseLeftovers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const found = yield* sql<{ id: string; purpose: Purpose }>`
    select distinct u.execution_id as id, u.purpose from blob_uses u join executions e on e.id = u.execution_id
    where (u.purpose = 'document' and e.document is null)
       or (u.purpose = 'result' and (e.output_expired_at is not null or e.erased_at is not null))
    limit ${batchSize}`
  for (const { id, purpose } of found) yield* uses.release([id], [purpose])
})

/**
 * Finds blobs that no execution uses, in one 256th of the store each time. A blob that is just being stored has no use
 * yet, so it is removed only if two rounds find none.
 */
export const makeStrayBlobs = Effect.gen(function* () {
  const uses = yield* BlobUses
  const suspects = new Map<string, ReadonlySet<string>>()
  return Effect.fnUntraced(function* (round: number) {
    const prefix = (round % 256).toString(16).padStart(2, "0")
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
