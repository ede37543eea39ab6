import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { WebhookBody, type WebhookMessage, WebhookRefused } from "./WebhookMessage.ts"

/** Headers as Node.js, Express or `fetch` give them. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export interface VerifyOptions {
  /** How far the time of an attempt may be from now, in seconds; 300 when absent. */
  readonly tolerance?: number
}

/**
 * Verifies a webhook and reads it; throws `WebhookRefused` for anything that the service has not sent with this secret
 * just now.
 *
 * `rawBody` must be the bytes as they arrived: JSON that was parsed and written again has another signature.
 *
 * ```ts
 * app.post("/hook", express.raw({ type: "*\/*" }), (request, response) => {
 *   const { data, id } = verifyWebhook(request.body, request.headers, secret)
 *   response.sendStatus(204)
 * })
 * ```
 *
 * A delivery is repeated until it is answered with 2xx within 15 seconds, so the same message can arrive twice: its `id`
 * tells. The header `webhook-signature` is verified, which covers id, time and body; without it (some gateways pass on
 * known headers only) `X-Service-Signature`, which covers the body and the time in it.
 */
export const verifyWebhook = (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {}
): WebhookMessage => Effect.runSync(verify(rawBody, headers, secret, options))

const verify = Effect.fnUntraced(function* (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions
) {
  const header = readerOf(headers)
  const id = header("webhook-id")
  const timestamp = header("webhook-timestamp")
  const signatures = header("webhook-signature")
  const plain = header("x-service-signature")
  const mac = () => createHmac("sha256", Buffer.from(secret, "utf8"))

  if (signatures !== undefined && id !== undefined && timestamp !== undefined) {
    const expected = `v1,${mac().update(`${id}.${timestamp}.`).update(rawBody).digest("base64")}`
    if (!signatures.split(" ").some((signature) => isSame(signature, expected))) return yield* wrong
    yield* checkTime(Number(timestamp) * 1000, options)
    return { ...(yield* read(rawBody)), id } satisfies WebhookMessage
  }
  if (plain === undefined) return yield* refused("unsigned", "The webhook has no signature")
  if (!isSame(plain, `sha256=${mac().update(rawBody).digest("hex")}`)) return yield* wrong
  const body = yield* read(rawBody)
  const at = Option.map(DateTime.make(body.timestamp), DateTime.toEpochMillis)
  yield* checkTime(
    Option.getOrElse(at, () => Number.NaN),
    options
  )
  return { ...body, id: undefined } satisfies WebhookMessage
})

const checkTime = Effect.fnUntraced(function* (at: number, { tolerance = 300 }: VerifyOptions) {
  const age = ((yield* Clock.currentTimeMillis) - at) / 1000
  if (Number.isNaN(age)) return yield* refused("not a webhook", "The webhook's time cannot be read")
  if (age > tolerance) return yield* refused("too old", `The webhook is ${Math.round(age)} seconds old`)
  if (age < -tolerance) {
    return yield* refused("too new", `The webhook is from ${Math.round(-age)} seconds in the future`)
  }
})

const read = (rawBody: string | Uint8Array) =>
  Effect.mapError(
    decodeBody(typeof rawBody === "string" ? rawBody : Buffer.from(rawBody).toString("utf8")),
    () => refused("not a webhook", "The body is not one of a webhook")
  )

const decodeBody = Schema.decodeUnknownEffect(Schema.fromJsonString(WebhookBody))

const refused = (reason: WebhookRefused["reason"], message: string) => new WebhookRefused({ reason, message })
const wrong = refused("wrong signature", "The signature does not belong to this body and secret")

/** Compares in a time that tells nothing about where the two differ. */
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
