import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { scrypt, timingSafeEqual } from "node:crypto"

/** The cost of a hash: `2 ** logN * blockSize * 128` bytes of memory, `parallel` times in a row. */
interface Cost {
  readonly logN: number
  readonly blockSize: number
  readonly parallel: number
}

/** Recommended by OWASP's Password Storage Cheat Sheet for scrypt with 32 MiB. */
const current: Cost = { logN: 15, blockSize: 8, parallel: 3 }
const saltLength = 16
const hashLength = 32
/** The number of hashes computed at a time: each takes a thread of Node's pool, which others need too. */
const atOnce = 2

/** Hashes passwords with scrypt, on a thread of Node's pool. A hash contains its salt and its cost. */
export class Passwords extends Context.Service<
  Passwords,
  {
    /** The hash to store: `scrypt$<logN>$<blockSize>$<parallel>$<salt>$<hash>`. */
    hash(password: Redacted.Redacted): Effect.Effect<string>
    /**
     * Whether the password is the one of a stored hash. Without one it is never; the time taken is the same, and so tells
     * nobody which names exist.
     */
    matches(password: Redacted.Redacted, stored: string | undefined): Effect.Effect<boolean>
  }
>()("docflow/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const slots = yield* Semaphore.make(atOnce)
      const derive = (password: Redacted.Redacted, salt: Uint8Array, cost: Cost) =>
        slots.withPermit(derived(password, salt, cost))

      const hash = Effect.fn("Passwords.hash")(function* (password: Redacted.Redacted) {
        const salt = yield* random.randomBytes(saltLength)
        const made = yield* derive(password, salt, current)
        const { blockSize, logN, parallel } = current
        return ["scrypt", logN, blockSize, parallel, inText(salt), inText(made)].join("$")
      })

      const matches = Effect.fn("Passwords.matches")(function* (
        password: Redacted.Redacted,
        stored: string | undefined
      ) {
        const { cost, hash: expected, salt } = parsed(stored)
        const found = yield* derive(password, salt, cost)
        return timingSafeEqual(found, expected) && stored !== undefined
      })

      return Passwords.of({ hash, matches })
    })
  )
}

/** scrypt in its asynchronous form. The same characters in another Unicode form are the same password. */
const derived = (password: Redacted.Redacted, salt: Uint8Array, { blockSize, logN, parallel }: Cost) =>
  Effect.callback<Buffer>((resume) => {
    const cost = 2 ** logN
    const options = { N: cost, r: blockSize, p: parallel, maxmem: 2 * 128 * cost * blockSize }
    scrypt(Redacted.value(password).normalize("NFKC"), salt, hashLength, options, (failure, key) =>
      resume(failure === null ? Effect.succeed(key) : Effect.die(failure))
    )
  })

const inText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url")

/** The parts of a stored hash; without one, parts that no password matches, at the current cost. */
const parsed = (stored: string | undefined) => {
  const nobody = { cost: current, salt: Buffer.alloc(saltLength), hash: Buffer.alloc(hashLength) }
  const [kind, logN, blockSize, parallel, salt, hash] = (stored ?? "").split("$")
  if (kind !== "scrypt" || salt === undefined || hash === undefined) return nobody
  return {
    cost: { logN: Number(logN), blockSize: Number(blockSize), parallel: Number(parallel) },
    salt: Buffer.from(salt, "base64url"),
    hash: Buffer.from(hash, "base64url")
  }
}
