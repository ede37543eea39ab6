import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { ServiceUnavailable } from "../domain/Errors.ts"

/** A database that is away is `SERVICE_UNAVAILABLE`; any other failure of a statement is a defect. */
export const onSqlError = (error: SqlError.SqlError): Effect.Effect<never, ServiceUnavailable> =>
  error.isRetryable ? Effect.fail(unavailable("database")) : Effect.die(error)

/** A document store that fails is `SERVICE_UNAVAILABLE`. */
export const onBlobFailure = (): Effect.Effect<never, ServiceUnavailable> =>
  Effect.fail(unavailable("document store"))

const unavailable = (what: string) =>
  new ServiceUnavailable({ message: `The ${what} cannot be reached; try again in a few seconds` })
