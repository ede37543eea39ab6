import { Redacted } from "effect"
import { hash, timingSafeEqual } from "node:crypto"

/**
 * Whether two secrets are equal. An empty secret equals none, not even another empty one. Compares digests, so that the time taken
 * tells nothing about the secrets.
 */
export const isSameSecret = (a: Redacted.Redacted, b: Redacted.Redacted): boolean => {
  const [left, right] = [Redacted.value(a), Redacted.value(b)]
  const isEqual = timingSafeEqual(hash("sha256", left, "buffer"), hash("sha256", right, "buffer"))
  return isEqual && left !== ""
}
