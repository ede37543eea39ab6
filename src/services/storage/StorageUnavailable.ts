import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { ReaderUnavailable } from "../../domain/Document.ts"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { type Outage, outageOf } from "../../sql/Outage.ts"
import { reportOutage, tooLong } from "./StorageHealth.ts"

/** The error for an outage, which is also recorded, so that the process reports that it is not ready. */
export const unavailable = (outage: Outage): Effect.Effect<never, ServiceUnavailable> =>
  Effect.andThen(
    reportOutage(outage),
    Effect.fail(
      new ServiceUnavailable({
        message:
          outage.code === tooLong
            ? "The database took too long to answer. Ask for less, such as with a narrower filter, or try again in a few seconds"
            : `The ${outage.what} is not available; try again in a few seconds`
      })
    )
  )

/** The errors of the database, the blob store, and the processes that read documents. */
export const storageFailures = [SqlError.SqlError, BlobStoreFailure, ReaderUnavailable] as const
type StorageFailure = InstanceType<(typeof storageFailures)[number]>

const isStorageFailure = <E>(error: E): error is Extract<E, StorageFailure> =>
  storageFailures.some((failure) => error instanceof failure)

/**
 * Converts a storage failure into `SERVICE_UNAVAILABLE`: an unavailable database, or a failing blob store. Any other
 * failure of a statement is a defect.
 */
export const onStorageFailure = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(effect, isStorageFailure<E>, (failure: StorageFailure) => {
    if (failure._tag === "ReaderUnavailable")
      return new ServiceUnavailable({
        message: `${failure.message.replace(/\.$/u, "")}; try again in a few seconds`
      })
    const outage = outageOf(failure)
    if (outage !== undefined) return unavailable(outage)
    return Effect.die(failure)
  })
