/** Receiving webhooks in Node.js, Bun or Deno: `import { verifyWebhook } from "docflow/client/webhook"`. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Execution, WebhookEvent } from "./ClientTypes.ts"

export type { WebhookEvent } from "./ClientTypes.ts"

/** Headers as Node.js, Express or `fetch` have them. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export interface VerifyOptions {
  /** Maximum difference between the time of an attempt and now, in seconds. Default: 300. */
  readonly tolerance?: number
}

/** Why a webhook was refused. */
export type RefusalReason = "unsigned" | "wrong signature" | "too old" | "too new" | "not a webhook"

/** A webhook was not sent by the service with this secret just now, or is not a webhook. `reason` says which. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A verified webhook. */
export interface WebhookMessage<Output = unknown> {
  /** The same in every attempt to deliver this message: store it to recognize duplicates. */
  readonly id: string | undefined
  readonly type: WebhookEvent
  /** When this attempt to deliver was made. When the execution ended is in `data`. */
  readonly timestamp: string
  /**
   * The execution; with `corrections` when they were saved. `outputOmitted`: output and corrections would have made the body
   * larger than 1 MiB; `get` returns them.
   */
  readonly data: Execution<Output> & { readonly outputOmitted?: true }
}

/**
 * Verifies a webhook and reads it; throws `WebhookRefused` for anything that the service has not sent with this secret
 * just now.
 *
 * `rawBody` must be the bytes as they arrived: JSON that was parsed and serialized again has another signature.
 *
 * ```ts
 * app.post("/hook", express.raw({ type: "*\/*" }), (request, response) => {
 *   const { data, id } = verifyWebhook(request.body, request.headers, secret)
 *   response.sendStatus(204)
 * })
 * ```
 *
 * A delivery is repeated until it is answered with 2xx within 15 seconds, so the same message can arrive twice with the
 * same `id`. The header `webhook-signature` is verified, which covers id, time and body; without it (some gateways pass
 * on known headers only) `X-Service-Signature`, which covers the body and the time in it.
 */
export const verifyWebhook = <Output = unknown>(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {}
): WebhookMessage<Output> => {
  if (secret === "")
    throw new WebhookRefused("wrong signature", "The secret is empty: anybody could have signed")
  const header = readerOf(headers)
  const id = header("webhook-id")
  const timestamp = header("webhook-timestamp")
  const signatures = header("webhook-signature")
  const plain = header("x-service-signature")
  const mac = () => createHmac("sha256", Buffer.from(secret, "utf8"))

  if (signatures !== undefined && id !== undefined && timestamp !== undefined) {
    const expected = `v1,${mac().update(`${id}.${timestamp}.`).update(rawBody).digest("base64")}`
    if (!signatures.split(" ").some((signature) => isSame(signature, expected))) throw wrong()
    checkTime(Number(timestamp) * 1000, options)
    return { ...read<Output>(rawBody), id }
  }
  if (plain === undefined) throw new WebhookRefused("unsigned", "The webhook has no signature")
  if (!isSame(plain, `sha256=${mac().update(rawBody).digest("hex")}`)) throw wrong()
  const body = read<Output>(rawBody)
  checkTime(Date.parse(body.timestamp), options)
  return { ...body, id: undefined }
}

const checkTime = (at: number, { tolerance = 300 }: VerifyOptions): void => {
  const age = (performance.timeOrigin + performance.now() - at) / 1000
  if (Number.isNaN(age)) throw new WebhookRefused("not a webhook", "The webhook's time cannot be read")
  if (age > tolerance) throw new WebhookRefused("too old", `The webhook is ${Math.round(age)} seconds old`)
  if (age < -tolerance)
    throw new WebhookRefused("too new", `The webhook is from ${Math.round(-age)} seconds in the future`)
}

const types: ReadonlySet<unknown> = new Set([
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
  "corrections.saved"
])

const has = <Name extends string>(value: unknown, name: Name): value is { readonly [key in Name]: unknown } =>
  typeof value === "object" && value !== null && name in value

const isBody = <Output>(value: unknown): value is Omit<WebhookMessage<Output>, "id"> =>
  has(value, "type") &&
  types.has(value.type) &&
  has(value, "timestamp") &&
  typeof value.timestamp === "string" &&
  has(value, "data") &&
  has(value.data, "id") &&
  has(value.data, "status") &&
  typeof value.data.id === "string"

const read = <Output>(rawBody: string | Uint8Array): Omit<WebhookMessage<Output>, "id"> => {
  const text = typeof rawBody === "string" ? rawBody : Buffer.from(rawBody).toString("utf8")
  try {
    const body: unknown = JSON.parse(text)
    if (isBody<Output>(body)) return { type: body.type, timestamp: body.timestamp, data: body.data }
  } catch {
    // Not JSON, so not a webhook either.
  }
  throw new WebhookRefused("not a webhook", "The body is not one of a webhook")
}

const wrong = () =>
  new WebhookRefused("wrong signature", "The signature does not belong to this body and secret")

/** Compares in constant time. */
const isSame = (given: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(given, "utf8"), Buffer.from(expected, "utf8")]
  return left.length === right.length && timingSafeEqual(left, right)
}

const readerOf = (headers: WebhookHeaders) => {
  const entries: ReadonlyArray<readonly [string, string | ReadonlyArray<string> | undefined]> =
    headers instanceof Headers ? [...headers.entries()] : Object.entries(headers)
  const found = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]))
  return (name: string): string | undefined => {
    const value = found.get(name)
    return typeof value === "string" ? value : value?.[0]
  }
}
