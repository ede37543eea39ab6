import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { decodeRows } from "../../support/DecodeRows.ts"
import { type Person, Role } from "../../domain/User.ts"
import { AdminToken } from "./AdminToken.ts"
import { isSameSecret } from "./IsSameSecret.ts"
import { Passwords } from "./Passwords.ts"

/** A session ends after this time without use. */
const idleTime = "interval '12 hours'"
/** The lifetime of a sign-in link. */
const linkTime = "interval '24 hours'"
/** How often the time of the last use is stored. */
const useNotedEvery = "interval '1 minute'"

/** The credential of a sign-in. */
export type Credential =
  | { readonly kind: "link" | "token"; readonly secret: Redacted.Redacted }
  | { readonly kind: "password"; readonly name: string; readonly password: Redacted.Redacted }
  /** The OpenID provider has said who it is. */
  | { readonly kind: "openid"; readonly userId: string }

/** A new session: its secret, and whose it is. */
export interface NewSession {
  readonly secret: Redacted.Redacted
  readonly person: Person
}

const administrator: Person = { role: "administrator", user: undefined }

const SessionRow = Schema.Struct({
  is_idle: Schema.Boolean,
  role: Role,
  id: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  has_password: Schema.Boolean
})

const UserRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Role,
  password: Schema.NullOr(Schema.String),
  session_version: Schema.Int
})

/** Who is signed in. Sessions are in the database, so every node knows them. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** The secret of a new link that signs in once. */
    readonly makeLink: Effect.Effect<Redacted.Redacted, SqlError.SqlError>
    /** A new session; undefined when the credential is wrong, used or too old, or the user is disabled. */
    signIn(credential: Credential): Effect.Effect<NewSession | undefined, SqlError.SqlError>
    /** Who the session with this secret belongs to, if it is still valid; its idle time restarts. */
    find(secret: Redacted.Redacted): Effect.Effect<Person | undefined, SqlError.SqlError>
    signOut(secret: Redacted.Redacted): Effect.Effect<void, SqlError.SqlError>
  }
>()("docflow/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const adminToken = yield* AdminToken
      const passwords = yield* Passwords

      const makeSecret = (label: string) =>
        Effect.map(random.randomBytes(32), (bytes) =>
          Redacted.make(Buffer.from(bytes).toString("base64url"), { label })
        )

      /** The admin token is part of it: whoever changes the token ends every session and voids every link. */
      const digest = (secret: Redacted.Redacted) =>
        hash("sha256", `${Redacted.value(secret)}\n${Redacted.value(adminToken)}`)

      const makeLink = Effect.gen(function* () {
        const secret = yield* makeSecret("sign-in link")
        yield* sql`delete from sign_in_links where expires_at <= now()`
        yield* sql`insert into sign_in_links (hash, expires_at)
          values (${digest(secret)}, now() + ${sql.literal(linkTime)})`
        return secret
      }).pipe(Effect.withSpan("Sessions.makeLink"))

      /** One statement, so that of two who use a link at once only one gets in. */
      const useLink = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
        const rows = yield* sql`delete from sign_in_links
          where hash = ${digest(secret)} and expires_at > now() returning hash`
        return rows.length > 0
      })

      const begin = Effect.gen(function* () {
        const secret = yield* makeSecret("session")
        yield* sql`delete from sessions where last_used_at <= now() - ${sql.literal(idleTime)}`
        yield* sql`insert into sessions (hash, created_at, last_used_at)
          values (${digest(secret)}, now(), now())`
        return { secret, person: administrator }
      })

      const beginFor = Effect.fnUntraced(function* ({
        id,
        name,
        password,
        role,
        session_version
      }: typeof UserRow.Type) {
        const secret = yield* makeSecret("session")
        yield* sql`delete from sessions where last_used_at <= now() - ${sql.literal(idleTime)}`
        yield* sql`insert into sessions (hash, user_id, session_version, created_at, last_used_at)
          values (${digest(secret)}, ${id}, ${session_version}, now(), now())`
        yield* sql`update users set last_sign_in_at = now() where id = ${id}`
        return { secret, person: { role, user: { id, name, hasPassword: password !== null } } }
      })

      const byPassword = Effect.fnUntraced(function* (name: string, password: Redacted.Redacted) {
        const rows = yield* sql`select id, name, role, password, session_version from users
          where name = ${name.toLowerCase()} and disabled_at is null`
        const [user] = yield* decodeRows(UserRow, rows)
        // An unknown name takes as long as a known one.
        const isRight = yield* passwords.matches(password, user?.password ?? undefined)
        return isRight && user !== undefined ? yield* beginFor(user) : undefined
      })

      const byOpenId = Effect.fnUntraced(function* (id: string) {
        const rows = yield* sql`select id, name, role, password, session_version from users
          where id = ${id} and subject is not null and disabled_at is null`
        const [user] = yield* decodeRows(UserRow, rows)
        return user === undefined ? undefined : yield* beginFor(user)
      })

      const signIn = Effect.fn("Sessions.signIn")(function* (credential: Credential) {
        if (credential.kind === "openid") return yield* byOpenId(credential.userId)
        if (credential.kind === "password") return yield* byPassword(credential.name, credential.password)
        const { kind, secret } = credential
        const isRight = kind === "link" ? yield* useLink(secret) : isSameSecret(secret, adminToken)
        return isRight ? yield* begin : undefined
      })

      const find = Effect.fn("Sessions.find")(function* (secret: Redacted.Redacted) {
        const own = digest(secret)
        const rows = yield* sql`
          select s.last_used_at < now() - ${sql.literal(useNotedEvery)} as is_idle, coalesce(u.role, 'administrator') as role, u.id, u.name,
            u.password is not null as has_password
          from sessions s left join users u on u.id = s.user_id
          where s.hash = ${own} and s.last_used_at > now() - ${sql.literal(idleTime)}
            and (s.user_id is null or u.session_version = s.session_version and u.disabled_at is null)`
        const [row] = yield* decodeRows(SessionRow, rows)
        if (row === undefined) return undefined
        if (row.is_idle) yield* sql`update sessions set last_used_at = now() where hash = ${own}`
        return personOf(row)
      })

      const signOut = Effect.fn("Sessions.signOut")(function* (secret: Redacted.Redacted) {
        yield* sql`delete from sessions where hash = ${digest(secret)}`
      })

      return Sessions.of({ makeLink, signIn, find, signOut })
    })
  )
}

const personOf = ({ has_password: hasPassword, id, name, role }: typeof SessionRow.Type): Person => ({
  role,
  user: id === null || name === null ? undefined : { id, name, hasPassword }
})
