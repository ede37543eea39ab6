import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import type { BlobMissing, BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
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

/** A database that cannot do its work is `SERVICE_UNAVAILABLE`; any other failure of a statement is a defect. */
export const onSqlError = (error: SqlError.SqlError): Effect.Effect<never, ServiceUnavailable> => {
  const outage = outageOf(error)
  return outage === undefined ? Effect.die(error) : unavailable(outage)
}

/** A document store that fails is `SERVICE_UNAVAILABLE`. */
export const onBlobFailure = (
  failure: BlobStoreFailure | BlobMissing
): Effect.Effect<never, ServiceUnavailable> =>
  unavailable(outageOf(failure) ?? { what: "document store", code: failure._tag })
