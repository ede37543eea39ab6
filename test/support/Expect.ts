import { expect } from "vitest"
import { at, textAt } from "./Json.ts"
import type { Answer } from "./TestService.ts"

/** Holds an answer against the specification's error envelope; gives back its `error`. */
export const expectError = (answer: Answer, status: number, code: string): unknown => {
  expect({ status: answer.status, code: at(answer.body, "error.code"), body: answer.body }).toMatchObject({
    status,
    code
  })
  expect(answer.body).toEqual({
    error: {
      code,
      message: expect.stringMatching(/./u),
      ...(at(answer.body, "error.details") === undefined ? {} : { details: expect.any(Object) })
    }
  })
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/u)
  return at(answer.body, "error")
}

/** The `details.field` of an error answer. */
export const fieldOf = (answer: Answer): string => textAt(answer.body, "error.details.field")

/** Holds an answer against the specification's rate-limit headers. */
export const expectRateHeaders = (answer: Answer): void => {
  expect(answer.headers.get("x-ratelimit-limit")).toMatch(/^\d+$/u)
  expect(answer.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/u)
  const reset = Number(answer.headers.get("x-ratelimit-reset"))
  const now = Date.now() / 1000
  // Unix seconds: at most a window ahead.
  expect(reset).toBeGreaterThan(now - 2)
  expect(reset).toBeLessThanOrEqual(now + 61)
}

/** ISO 8601 in UTC, as every timestamp of the API. */
export const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
