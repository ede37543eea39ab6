import type { ResponseInfo } from "./ResponseInfo.ts"

/** The service refused a request; `code` and `status` are those of the API's error table. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure"
  readonly status: number
  readonly code: string
  readonly details: { readonly [name: string]: unknown } | undefined
  /** Milliseconds to wait before trying again, if the service said so. */
  readonly retryAfterMs: number | undefined
  readonly response: ResponseInfo

  constructor(
    refusal: {
      readonly code: string
      readonly message: string
      readonly details?: { readonly [name: string]: unknown } | undefined
    },
    response: ResponseInfo
  ) {
    const { requestId } = response
    super(requestId === undefined ? refusal.message : `${refusal.message} (request ${requestId})`)
    this.status = response.status
    this.code = refusal.code
    this.details = refusal.details
    const seconds = Number(response.headers.get("retry-after") ?? "NaN")
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined
    this.response = response
  }

  /** The id of the request, for questions to the operator of the service. */
  get requestId(): string | undefined {
    return this.response.requestId
  }
}

/** The service could not be reached or did not answer in time, or something else answered in its place. */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure"
}

/** The execution has not ended within the time limit of the wait; it continues. */
export class WaitTimeout extends Error {
  override readonly name = "WaitTimeout"
  readonly executionId: string

  constructor(executionId: string, longestMs: number) {
    super(`The execution ${executionId} did not end within ${longestMs / 1000} seconds; it continues`)
    this.executionId = executionId
  }
}
