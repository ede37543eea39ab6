import { existsSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { statusForCode, statusOf } from "../../src/api/ErrorEnvelope.ts"
import { apiErrors } from "../../src/domain/Errors.ts"

/** The error table of the API specification, as it stood when this test was written. */
const frozen: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  INVALID_INPUT: 400,
  VALIDATION_ERROR: 422,
  MISSING_REQUIRED_FIELD: 422,
  INVALID_DOCUMENT: 422,
  FLOW_NOT_FOUND: 404,
  EXECUTION_NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  INSUFFICIENT_CREDITS: 402,
  SUBSCRIPTION_REQUIRED: 402,
  EXECUTION_FAILED: 500,
  EXECUTION_TIMEOUT: 504,
  ALREADY_CANCELLED: 409,
  NOT_CANCELLABLE: 409,
  RATE_LIMITED: 429,
  CONCURRENT_LIMIT: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  PROVIDER_ERROR: 502
}

const classes = Object.fromEntries(apiErrors.map((error) => [error.identifier, statusOf(error)]))

const specification = "../shared/spec/api-specification.md"

const readTable = (): Record<string, number> => {
  const [, afterHeading = ""] = readFileSync(specification, "utf8").split(/^## Errors$/mu)
  const [section = ""] = afterHeading.split(/^## /mu)
  const rows = [...section.matchAll(/^\| ([A-Z_]+) \| (\d{3}) \|/gmu)]
  return Object.fromEntries(rows.map(([, code = "", status = ""]) => [code, Number(status)]))
}

describe("the error table", () => {
  test("has 21 codes, each one class, with the statuses of the specification", () => {
    expect(apiErrors).toHaveLength(21)
    expect(Object.keys(frozen)).toHaveLength(21)
    expect(classes).toEqual(frozen)
  })

  test.skipIf(!existsSync(specification))(
    `is the one of ${specification} (skipped where that is not there)`,
    () => {
      expect(readTable()).toEqual(classes)
    }
  )

  test.each(Object.entries(frozen))("%s has the status %d on the wire", (code, status) => {
    expect(statusForCode(code)).toBe(status)
  })
})
