import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import { BlobMissing, BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { type Outage, outageOf } from "../../sql/Outage.ts"
import { reportOutage } from "./StorageHealth.ts"

/** What a caller is told of an outage; it is remembered, so that the process says that it is not ready. */
export const unavailable = (outage: Outage): Effect.Effect<never, ServiceUnavailable> =>
  Effect.andThen(
    reportOutage(outage),
    Effect.fail(
      new ServiceUnavailable({
        message: `The ${outage.what} is not available; try again in a few seconds`
      })
    )
  )

/** The errors with which the database and the document store fail. */
export const storageFailures = [SqlError.SqlError, BlobStoreFailure, BlobMissing] as const
type StorageFailure = InstanceType<(typeof storageFailures)[number]>

const isStorageFailure = <E>(error: E): error is Extract<E, StorageFailure> =>
  storageFailures.some((failure) => error instanceof failure)

/**
 * Turns a storage failure into `SERVICE_UNAVAILABLE`: a database that cannot do its work, or a document store that fails.
 * Any other failure of a statement is a defect.
 */
export const onStorageFailure = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(effect, isStorageFailure<E>, (failure: StorageFailure) => {
    const outage = outageOf(failure)
    if (outage !== undefined) return unavailable(outage)
    return failure._tag === "SqlError"
      ? Effect.die(failure)
      : unavailable({ what: "document store", code: failure._tag })
  })
