import { Context, Effect, Layer, type Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto"

const nonceBytes = 12
const tagBytes = 16

/** Encrypts secrets at rest that are needed again: AES-256-GCM (NIST SP 800-38D), with a key that is not in the database. */
export class SealedSecrets extends Context.Service<
  SealedSecrets,
  {
    /** The sealed form of a secret, for the database; undefined if there is none. */
    seal(secret: string | undefined): Effect.Effect<string | undefined>
    /** The secret; none if it was sealed with another key. */
    open(sealed: string): Effect.Effect<Option.Option<Redacted.Redacted>>
  }
>()("docflow/SealedSecrets") {
  /** Derives the key from a secret of the installation (HKDF-SHA-256, RFC 5869). */
  static readonly layer = (installationSecret: Redacted.Redacted) =>
    Layer.effect(
      SealedSecrets,
      Effect.gen(function* () {
        const random = yield* SecureRandom.SecureRandom
        const key = Buffer.from(
          hkdfSync("sha256", Redacted.value(installationSecret), "", "docflow secrets", 32)
        )

        const seal = Effect.fnUntraced(function* (secret: string | undefined) {
          if (secret === undefined) return undefined
          const nonce = yield* random.randomBytes(nonceBytes)
          const cipher = createCipheriv("aes-256-gcm", key, nonce)
          const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
          return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")
        })

        const open = (sealed: string) =>
          Effect.option(
            Effect.try({
              try: () => {
                const bytes = Buffer.from(sealed, "base64")
                const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
                  authTagLength: tagBytes
                })
                decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
                const secret = Buffer.concat([
                  decipher.update(bytes.subarray(nonceBytes + tagBytes)),
                  decipher.final()
                ])
                return Redacted.make(secret.toString("utf8"), { label: "sealed secret" })
              },
              catch: () => "sealed with another key"
            })
          )

        return SealedSecrets.of({ seal, open })
      })
    )
}
