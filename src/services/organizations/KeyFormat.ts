import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { crc32 } from "node:zlib"
import type { Environment } from "../../domain/Organization.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/** 40 characters of 62 are 238 random bits. */
const randomLength = 40
const checksumLength = 6

/**
 * Makes the secret of a key: `<prefix>_<environment>_<random><checksum>`. The checksum (CRC-32 in base 62) detects a
 * mistyped key without the database.
 */
export const makeSecret = Effect.fnUntraced(function* (prefix: string, environment: Environment) {
  const { intBetween } = yield* SecureRandom.SecureRandom
  const letter = Effect.map(intBetween(0, alphabet.length - 1), (index) => alphabet.charAt(index))
  const random = yield* Effect.all(Array.from({ length: randomLength }, () => letter))
  const start = `${prefix}_${environment}_${random.join("")}`
  return start + checksum(start)
})

/** Whether a string has the form of a key with this prefix, checksum included. */
export const isWellFormed = (prefix: string, secret: string): boolean => {
  const body = secret.slice(0, -checksumLength)
  const match = /^([a-z][a-z0-9]*)_(live|test)_[0-9A-Za-z]{46}$/u.exec(secret)
  return match?.[1] === prefix && checksum(body) === secret.slice(-checksumLength)
}

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  while (digits.length < checksumLength) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
