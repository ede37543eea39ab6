import { Cache, Context, Effect, Exit, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { Audit } from "../storage/Audit.ts"
import { type ApiKey, type Caller, Scope } from "../../domain/ApiKey.ts"
import { InvalidApiKey, Unauthorized } from "../../domain/Errors.ts"
import { Environment, Plan } from "../../domain/Organization.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/** 40 characters of 62 are 238 random bits. */
const randomLength = 40
const checksumLength = 6

/**
 * Makes the secret of a key: `<prefix>_<environment>_<random><checksum>`. The checksum (CRC-32 in base 62) detects a
 * mistyped key without the database.
 */
const makeSecret = Effect.fnUntraced(function* (prefix: string, environment: Environment) {
  const { intBetween } = yield* SecureRandom.SecureRandom
  const letter = Effect.map(intBetween(0, alphabet.length - 1), (index) => alphabet.charAt(index))
  const random = yield* Effect.all(Array.from({ length: randomLength }, () => letter))
  const start = `${prefix}_${environment}_${random.join("")}`
  return start + checksum(start)
})

/** Whether a string has the form of a key with this prefix, checksum included. */
const isWellFormed = (prefix: string, secret: string): boolean => {
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

/** There is no such key or organization. */
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { id: Schema.String }) {}

interface NewKey {
  readonly name: string
  readonly environment: Environment
  readonly scopes: ReadonlyArray<Scope>
}

const KeyRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  environment: Environment,
  scopes: Schema.Array(Scope),
  last_four: Schema.String,
  created_at: Schema.Date,
  last_used_at: Schema.NullOr(Schema.Date),
  revoked_at: Schema.NullOr(Schema.Date)
})

const CallerRow = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.String,
  environment: Environment,
  scopes: Schema.Array(Scope),
  plan: Plan,
  requests_per_minute: Schema.NullOr(Schema.Int),
  concurrent_executions: Schema.NullOr(Schema.Int),
  is_expired: Schema.Boolean,
  revoked_at: Schema.NullOr(Schema.Date)
})
type CallerRow = typeof CallerRow.Type

/** How long a look-up is cached: every node refuses a revoked key within this time. */
const rememberedFor = "2 seconds"

/** API keys: created, shown once, stored as SHA-256, looked up on every request. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    create(
      organizationId: string,
      key: NewKey
    ): Effect.Effect<
      { readonly key: ApiKey; readonly secret: Redacted.Redacted },
      KeyNotFound | SqlError.SqlError
    >
    list(organizationId: string): Effect.Effect<ReadonlyArray<ApiKey>, SqlError.SqlError>
    /** Revokes a key; revoking it again is harmless. */
    revoke(id: string): Effect.Effect<ApiKey, KeyNotFound | SqlError.SqlError>
    /** The caller who presents this secret. */
    authenticate(
      secret: Redacted.Redacted
    ): Effect.Effect<Caller, Unauthorized | InvalidApiKey | SqlError.SqlError>
  }
>()("docflow/ApiKeys") {
  /** Keys that start with `prefix`. */
  static readonly layer = (prefix: string) =>
    Layer.effect(
      ApiKeys,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const random = yield* SecureRandom.SecureRandom
        const audit = yield* Audit

        const create = Effect.fn("ApiKeys.create")(function* (organizationId: string, key: NewKey) {
          const secret = yield* Effect.provideService(
            makeSecret(prefix, key.environment),
            SecureRandom.SecureRandom,
            random
          )
          const id = `key_${yield* random.ulid}`
          const rows = yield* sql`
            insert into api_keys
              (id, organization_id, name, environment, scopes, hash, last_four, created_at)
            select ${id}, id, ${key.name}, ${key.environment},
                   string_to_array(${key.scopes.join(",")}, ','), ${hash("sha256", secret)}, ${secret.slice(-4)}, now()
            from organizations where id = ${organizationId}
            returning *`
          const [made] = yield* decodeKeys(rows)
          if (made === undefined) return yield* new KeyNotFound({ id: organizationId })
          yield* audit.record({ action: "key.created", subject: id, organizationId })
          return { key: made, secret: Redacted.make(secret, { label: "API key" }) }
        }, sql.withTransaction)

        const list = Effect.fn("ApiKeys.list")(function* (organizationId: string) {
          return yield* decodeKeys(
            yield* sql`select * from api_keys where organization_id = ${organizationId} order by created_at, id`
          )
        })

        const find = (digest: string) =>
          Effect.gen(function* () {
            // The time of the last use is stored to the minute: a write for every request would be too expensive.
            const rows = yield* sql`
              with found as (
                select k.id, k.organization_id, k.environment, k.scopes, coalesce(k.expires_at <= now(), false) as is_expired, k.revoked_at, k.last_used_at,
                       o.plan, o.requests_per_minute, o.concurrent_executions
                from api_keys k join organizations o on o.id = k.organization_id where k.hash = ${digest}
              ), used as (
                update api_keys set last_used_at = now() from found
                where api_keys.id = found.id
                  and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
              )
              select * from found`
            const [row] = yield* decodeRows(CallerRow, rows)
            return Option.fromUndefinedOr(row)
          })

        const found = yield* Cache.makeWith(find, {
          capacity: 10_000,
          timeToLive: Exit.match({ onSuccess: () => rememberedFor, onFailure: () => "0 millis" })
        })

        const authenticate = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
          const value = Redacted.value(secret)
          if (!isWellFormed(prefix, value)) {
            return yield* new InvalidApiKey({ message: "The API key is malformed" })
          }
          const row = yield* Cache.get(found, hash("sha256", value))
          if (Option.isNone(row)) return yield* new Unauthorized({ message: "Invalid API key" })
          return yield* callerOf(row.value)
        })

        const revoke = Effect.fn("ApiKeys.revoke")(
          function* (id: string) {
            const rows = yield* sql`
            update api_keys set revoked_at = coalesce(revoked_at, now())
            where id = ${id} returning *`
            yield* audit.record({ action: "key.revoked", subject: id, organizationId: organizationOf(rows) })
            const [revoked] = yield* decodeKeys(rows)
            return revoked ?? (yield* new KeyNotFound({ id }))
          },
          sql.withTransaction, // Before the commit somebody could look it up once more as it was.
          Effect.tap(() => Cache.invalidateAll(found))
        )

        return ApiKeys.of({ create, list, revoke, authenticate })
      })
    )
}

const callerOf = (row: CallerRow): Effect.Effect<Caller, InvalidApiKey> => {
  if (row.revoked_at !== null) return new InvalidApiKey({ message: "The API key was revoked" })
  if (row.is_expired) {
    return new InvalidApiKey({ message: "The API key has expired" })
  }
  return Effect.succeed({
    keyId: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    scopes: row.scopes,
    plan: row.plan,
    customLimits: {
      requestsPerMinute: row.requests_per_minute ?? undefined,
      concurrentExecutions: row.concurrent_executions ?? undefined
    }
  })
}

const OwnedRow = Schema.Struct({ organization_id: Schema.String })
const isOwned = Schema.is(OwnedRow)
const organizationOf = ([row]: ReadonlyArray<unknown>): string | undefined =>
  isOwned(row) ? row.organization_id : undefined

const decodeKeys = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeRows(KeyRow, rows), (keys) => keys.map(keyOf))

const keyOf = (row: typeof KeyRow.Type): ApiKey => ({
  id: row.id,
  name: row.name,
  environment: row.environment,
  scopes: row.scopes,
  lastFour: row.last_four,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null
})
