import { Context, DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { hash, timingSafeEqual } from "node:crypto"
import { AdminToken } from "../services/admin-token/AdminToken.ts"

/** A session ends after this time without use. */
export const idleTime = Duration.hours(12)
/** The lifetime of a sign-in link. */
export const linkTime = Duration.hours(24)
/** How often the time of the last use is stored. */
const useNotedEvery = Duration.minutes(1)

/** The credential of a sign-in: the secret of a link, or the admin token. */
export interface Credential {
  readonly kind: "link" | "token"
  readonly secret: Redacted.Redacted
}

/** Who is signed in to the dashboard. Sessions are in the database, so every node knows them. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** The secret of a new link that signs in once. */
    readonly makeLink: Effect.Effect<Redacted.Redacted, SqlError.SqlError>
    /** The secret of a new session; undefined when the credential is wrong, used or too old. */
    signIn(credential: Credential): Effect.Effect<Redacted.Redacted | undefined, SqlError.SqlError>
    /** Whether the secret belongs to a session that is still valid; if so, its idle time restarts. */
    isSignedIn(secret: Redacted.Redacted): Effect.Effect<boolean, SqlError.SqlError>
    signOut(secret: Redacted.Redacted): Effect.Effect<void, SqlError.SqlError>
  }
>()("docflow/dashboard/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const adminToken = yield* AdminToken

      const makeSecret = (label: string) =>
        Effect.map(random.randomBytes(32), (bytes) =>
          Redacted.make(Buffer.from(bytes).toString("base64url"), { label })
        )

      /** The admin token is part of it: whoever changes the token ends every session and voids every link. */
      const digest = (secret: Redacted.Redacted) =>
        hash("sha256", `${Redacted.value(secret)}\n${Redacted.value(adminToken)}`)

      const makeLink = Effect.gen(function* () {
        const now = yield* DateTime.now
        const secret = yield* makeSecret("sign-in link")
        yield* sql`delete from sign_in_links where expires_at <= ${DateTime.toDateUtc(now)}`
        yield* sql`insert into sign_in_links (hash, expires_at)
          values (${digest(secret)}, ${DateTime.toDateUtc(DateTime.addDuration(now, linkTime))})`
        return secret
      }).pipe(Effect.withSpan("Sessions.makeLink"))

      /** One statement, so that of two who use a link at once only one gets in. */
      const useLink = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
        const rows = yield* sql`delete from sign_in_links
          where hash = ${digest(secret)} and expires_at > ${yield* DateTime.nowAsDate} returning hash`
        return rows.length > 0
      })

      const begin = Effect.gen(function* () {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const secret = yield* makeSecret("dashboard session")
        yield* sql`delete from dashboard_sessions
          where last_used_at <= ${DateTime.toDateUtc(DateTime.subtractDuration(now, idleTime))}`
        yield* sql`insert into dashboard_sessions (hash, created_at, last_used_at)
          values (${digest(secret)}, ${at}, ${at})`
        return secret
      })

      const signIn = Effect.fn("Sessions.signIn")(function* ({ kind, secret }: Credential) {
        const isRight = kind === "link" ? yield* useLink(secret) : isSame(secret, adminToken)
        return isRight ? yield* begin : undefined
      })

      const isSignedIn = Effect.fn("Sessions.isSignedIn")(function* (secret: Redacted.Redacted) {
        const now = yield* DateTime.now
        const [session] = yield* sql<{ last_used_at: Date }>`
          select last_used_at from dashboard_sessions where hash = ${digest(secret)}
            and last_used_at > ${DateTime.toDateUtc(DateTime.subtractDuration(now, idleTime))}`
        if (session === undefined) return false
        const sinceUse = DateTime.distance(DateTime.fromDateUnsafe(session.last_used_at), now)
        if (Duration.isGreaterThan(sinceUse, useNotedEvery)) {
          yield* sql`update dashboard_sessions set last_used_at = ${DateTime.toDateUtc(now)}
            where hash = ${digest(secret)}`
        }
        return true
      })

      const signOut = Effect.fn("Sessions.signOut")(
        (secret: Redacted.Redacted) => sql`delete from dashboard_sessions where hash = ${digest(secret)}`
      )

      return Sessions.of({
        makeLink,
        signIn,
        isSignedIn,
        signOut: (secret) => Effect.asVoid(signOut(secret))
      })
    })
  )
}

/** Compares digests, so that the time taken tells nothing about the token. */
const isSame = (a: Redacted.Redacted, b: Redacted.Redacted): boolean =>
  timingSafeEqual(hash("sha256", Redacted.value(a), "buffer"), hash("sha256", Redacted.value(b), "buffer"))
