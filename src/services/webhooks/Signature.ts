import { Redacted } from "effect"
import { createHmac } from "node:crypto"

/** The signed content of one attempt. */
export interface Signable {
  /** The delivery's id, the same in every attempt. */
  readonly id: string
  /** The time of this attempt. */
  readonly at: Date
  readonly body: Uint8Array
}

/** Canonical base64, as the Standard Webhooks libraries read a secret. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u
const prefix = "whsec_"

/**
 * The headers that identify an attempt, and sign it if there is a secret:
 *
 * - `X-Service-Signature: sha256=<hex>`, HMAC-SHA-256 over the body, keyed with the secret's UTF-8 bytes;
 * - `webhook-signature` of Standard Webhooks, over `<id>.<timestamp>.<body>`. A secret can be read in two ways there, as
 *   text and, where it is base64 with or without `whsec_`, as the bytes it stands for: there is a signature for each.
 */
export const attemptHeaders = (
  { at, body, id }: Signable,
  secret: Redacted.Redacted | undefined
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const identity = { "webhook-id": id, "webhook-timestamp": timestamp }
  if (secret === undefined) return identity
  const text = Redacted.value(secret)
  const sign = (key: Buffer) =>
    `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`
  return {
    ...identity,
    "webhook-signature": keysOf(text).map(sign).join(" "),
    "X-Service-Signature": `sha256=${createHmac("sha256", text).update(body).digest("hex")}`
  }
}

const keysOf = (secret: string): ReadonlyArray<Buffer> => {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const decoded = base64.test(encoded) ? Buffer.from(encoded, "base64") : Buffer.alloc(0)
  const text = Buffer.from(secret, "utf8")
  return decoded.length === 0 ? [text] : [text, decoded]
}
