import { Effect } from "effect"
import { hash } from "node:crypto"

/** In bytes: what is larger is hashed on a thread. */
const large = 1024 * 1024

/** The SHA-256 of bytes, in lower-case hexadecimal. */
export const sha256 = (bytes: Uint8Array): Effect.Effect<string> =>
  bytes.length <= large
    ? Effect.sync(() => hash("sha256", bytes))
    : Effect.map(
        Effect.promise(() => crypto.subtle.digest("SHA-256", new Uint8Array(bytes))),
        (digest) => Buffer.from(digest).toString("hex")
      )
