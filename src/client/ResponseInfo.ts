/** What is left of the rate limit. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
  /** When the window ends. */
  readonly resetAt: Date
}

/** The response behind a result or an error. */
export interface ResponseInfo {
  readonly status: number
  /** The id of the request, for questions to the operator of the service. */
  readonly requestId: string | undefined
  readonly headers: Headers
  readonly rate: RateState | undefined
  /** Whether an earlier request with the same idempotency key made the execution. */
  readonly isReplayed: boolean
}

const numberIn = (headers: Headers, name: string): number => Number(headers.get(name) ?? "NaN")

const rateIn = (headers: Headers): RateState | undefined => {
  const [limit, remaining, reset] = [
    numberIn(headers, "x-ratelimit-limit"),
    numberIn(headers, "x-ratelimit-remaining"),
    numberIn(headers, "x-ratelimit-reset")
  ]
  return [limit, remaining, reset].every(Number.isFinite)
    ? { limit, remaining, resetAt: new Date(reset * 1000) }
    : undefined
}

/** Reads the id, headers and rate state of a response. */
export const infoOf = ({ headers, status }: Response): ResponseInfo => ({
  status,
  requestId: headers.get("x-request-id") ?? undefined,
  headers,
  rate: rateIn(headers),
  isReplayed: headers.get("idempotent-replayed") === "true"
})

const infos = new WeakMap<object, ResponseInfo>()

/** Remembers the response behind a result. */
export const keepInfo = <A extends object>(answer: A, info: ResponseInfo): A => {
  infos.set(answer, info)
  return answer
}

/** The response behind a result of the client: its request id, headers and rate state. */
export const responseOf = (answer: object): ResponseInfo | undefined => infos.get(answer)
