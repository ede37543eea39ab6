import { Predicate } from "effect"
import { SqlError } from "effect/sql"
import { BlobStoreFailure } from "../providers/blobs/Blobs.ts"

/** Storage that is currently unavailable. */
export interface Outage {
  readonly what: "database" | "document store"
  /** For operators: the SQLSTATE or the error's code, such as `53100`; never a statement or a value. */
  readonly code: string
}

/**
 * SQLSTATE classes of a server that cannot work at the moment, although the statement is correct: 08 connection, 28 a
 * changed password, 53 out of disk, memory or connections, 57P shut down or starting, 58 an error of its system; 25006 a
 * standby that takes no writes; 25P03 a transaction that the server gave up.
 */
const outageCodes = /^(?:08|28|53|57P|58)|^25(?:006|P03)$/u

/** The code of the innermost error that has one. */
export const codeOf = (error: unknown): string | undefined => {
  if (!Predicate.isObject(error)) return undefined
  const inner = Predicate.hasProperty(error, "cause") ? codeOf(error.cause) : undefined
  if (inner !== undefined) return inner
  return Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : undefined
}

/** The outage behind a failure; undefined for any other failure, such as a wrong statement. */
export const outageOf = (failure: unknown): Outage | undefined => {
  const code = codeOf(failure)
  if (failure instanceof BlobStoreFailure) return { what: "document store", code: code ?? "unknown" }
  if (!SqlError.isSqlError(failure)) return undefined
  return failure.isRetryable || (code !== undefined && outageCodes.test(code))
    ? { what: "database", code: code ?? failure.reason._tag }
    : undefined
}
