import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomFillSync } from "node:crypto"

/** The number of bytes that are drawn at once; a request needs about ten, and some more for each execution. */
const poolBytes = 4_096

/**
 * Bytes of the generator of Node.js, drawn for many requests at once: each draw takes 10 µs, however few bytes it is for. No
 * byte is given out twice.
 */
const makePool = (): ((size: number) => Uint8Array) => {
  const pool = new Uint8Array(poolBytes)
  let used = poolBytes
  return (size) => {
    if (size > poolBytes) return randomFillSync(new Uint8Array(size))
    if (used + size > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    used += size
    // A copy: whoever gets it may change it.
    const drawn = pool.slice(used - size, used)
    pool.fill(0, used - size, used)
    return drawn
  }
}

/** Secure randomness of Node.js. */
export const layer = Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(makePool()))
