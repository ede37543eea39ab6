import { Context, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { decodeRows } from "../../support/DecodeRows.ts"
import { ValidationFailed } from "../../domain/Errors.ts"
import { Role, type User, type UserChange } from "../../domain/User.ts"
import { Audit } from "../storage/Audit.ts"
import { Passwords } from "./Passwords.ts"

/** The columns of a user, without the hash of the password. */
const userColumns =
  "id, name, role, password is not null as has_password, disabled_at, created_at, last_sign_in_at"

/** A row of these columns. */
const UserRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Role,
  has_password: Schema.Boolean,
  disabled_at: Schema.NullOr(Schema.Date),
  created_at: Schema.Date,
  last_sign_in_at: Schema.NullOr(Schema.Date)
})

/** A user as it is shown. */
const userOf = (row: typeof UserRow.Type): User => ({
  id: row.id,
  name: row.name,
  role: row.role,
  signIn: row.has_password ? "password" : "oidc",
  disabled: row.disabled_at !== null,
  createdAt: row.created_at.toISOString(),
  lastSignInAt: row.last_sign_in_at?.toISOString() ?? null
})

/** No user has this id. */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()("UserNotFound", {
  id: Schema.String
}) {}

interface Page {
  readonly limit: number
  readonly offset: number
}

interface NewUser {
  readonly name: string
  readonly role: Role
  readonly password: Redacted.Redacted
}

interface KnownElsewhere {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly role: Role
}

interface Change {
  readonly role?: Role | undefined
  readonly disabled?: boolean | undefined
  readonly password?: Redacted.Redacted | undefined
}

/** A change as it arrives, with its password redacted. */
export const redactedChange = ({ password, ...change }: UserChange): Change => ({
  ...change,
  password: password === undefined ? undefined : Redacted.make(password)
})

/** The people who may sign in, and their roles. */
export class Users extends Context.Service<
  Users,
  {
    /** The users in the order of their names. */
    list(
      page: Page
    ): Effect.Effect<{ readonly users: ReadonlyArray<User>; readonly total: number }, SqlError.SqlError>
    /** Adds a user who signs in with a password. */
    add(user: NewUser): Effect.Effect<User, ValidationFailed | SqlError.SqlError>
    /** Changes a user; a new password and disabling end the user's sessions. */
    change(
      id: string,
      change: Change
    ): Effect.Effect<User, UserNotFound | ValidationFailed | SqlError.SqlError>
    /**
     * The user whom an OpenID provider knows by this subject, with the role that it names now; added at the first sign-in.
     * Undefined if somebody else has the name.
     */
    meet(identity: KnownElsewhere): Effect.Effect<User | undefined, SqlError.SqlError>
    /** Whether anybody signs in with a password. */
    readonly anyPassword: Effect.Effect<boolean, SqlError.SqlError>
    /** Whether this is the user's password. A disabled user has none. */
    hasPassword(id: string, password: Redacted.Redacted): Effect.Effect<boolean, SqlError.SqlError>
  }
>()("docflow/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const audit = yield* Audit
      const passwords = yield* Passwords
      const columns = sql.literal(userColumns)

      const list = Effect.fn("Users.list")(function* ({ limit, offset }: Page) {
        const rows = yield* sql`select ${columns} from users order by name limit ${limit} offset ${offset}`
        const [counted] = yield* sql<{ total: number }>`select count(*)::int as total from users`
        return { users: (yield* decodeRows(UserRow, rows)).map(userOf), total: counted?.total ?? 0 }
      })

      const add = Effect.fn("Users.add")(function* ({ name, password, role }: NewUser) {
        const id = `usr_${yield* random.ulid}`
        const own = name.toLowerCase()
        const hash = yield* passwords.hash(password)
        const at = yield* DateTime.nowAsDate
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            const rows = yield* sql`insert into users (id, name, role, password, created_at)
              values (${id}, ${own}, ${role}, ${hash}, ${at}) on conflict (name) do nothing returning ${columns}`
            const [made] = yield* decodeRows(UserRow, rows)
            if (made === undefined) return yield* nameTaken(own)
            yield* audit.record({ action: "user.created", subject: `${own} (${role})` })
            return userOf(made)
          })
        )
      })

      /** One update for everything that changes, so that no state between is seen. */
      const write = Effect.fnUntraced(function* (id: string, change: Change, hash: string | undefined) {
        const at = yield* DateTime.nowAsDate
        const { disabled, role } = change
        const rows = yield* sql`update users set ${sql.csv([
          sql`session_version = session_version + ${hash !== undefined || disabled === true ? 1 : 0}`,
          ...(role === undefined ? [] : [sql`role = ${role}`]),
          ...(hash === undefined ? [] : [sql`password = ${hash}`]),
          ...(disabled === undefined ? [] : [sql`disabled_at = ${disabled ? at : null}`])
        ])} where id = ${id} returning ${columns}`
        const [row] = yield* decodeRows(UserRow, rows)
        return row === undefined ? yield* new UserNotFound({ id }) : userOf(row)
      })

      const known = Effect.fnUntraced(function* (id: string) {
        const rows = yield* sql`select ${columns} from users where id = ${id} for update`
        const [row] = yield* decodeRows(UserRow, rows)
        return row === undefined ? yield* new UserNotFound({ id }) : userOf(row)
      })

      const change = Effect.fn("Users.change")(function* (id: string, wanted: Change) {
        const hash = wanted.password === undefined ? undefined : yield* passwords.hash(wanted.password)
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            const before = yield* known(id)
            if (hash !== undefined && before.signIn === "oidc") return yield* noPassword(before.name)
            const after = yield* write(id, wanted, hash)
            const record = (
              action: "user.role" | "user.password" | "user.disabled" | "user.enabled",
              subject = after.name
            ) => audit.record({ action, subject })
            if (after.role !== before.role) yield* record("user.role", `${after.name} (${after.role})`)
            if (hash !== undefined) yield* record("user.password")
            if (after.disabled !== before.disabled)
              yield* record(after.disabled ? "user.disabled" : "user.enabled")
            return after
          })
        )
      })

      const meet = Effect.fn("Users.meet")(function* ({ issuer, name, role, subject }: KnownElsewhere) {
        const own = name.toLowerCase()
        const id = `usr_${yield* random.ulid}`
        const at = yield* DateTime.nowAsDate
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            const rows = yield* sql`select ${columns} from users
              where issuer = ${issuer} and subject = ${subject} for update`
            const [known] = yield* decodeRows(UserRow, rows)
            if (known?.role === role) return userOf(known)
            const changed =
              known === undefined
                ? yield* sql`insert into users (id, name, role, issuer, subject, created_at)
                    values (${id}, ${own}, ${role}, ${issuer}, ${subject}, ${at})
                    on conflict do nothing returning ${columns}`
                : yield* sql`update users set role = ${role} where id = ${known.id} returning ${columns}`
            const [row] = yield* decodeRows(UserRow, changed)
            if (row === undefined) return undefined
            const action = known === undefined ? "user.created" : "user.role"
            yield* audit.record({ action, subject: `${row.name} (${role})` })
            return userOf(row)
          })
        )
      })

      const anyPassword = Effect.map(
        sql<{ found: boolean }>`select exists(select 1 from users where password is not null) as found`,
        ([row]) => row?.found === true
      )

      const hasPassword = Effect.fn("Users.hasPassword")(function* (id: string, password: Redacted.Redacted) {
        const [row] = yield* sql<{ password: string | null }>`
          select password from users where id = ${id} and disabled_at is null`
        return yield* passwords.matches(password, row?.password ?? undefined)
      })

      return Users.of({ list, add, change, meet, anyPassword, hasPassword })
    })
  )
}

const nameTaken = (name: string) =>
  new ValidationFailed({
    message: `A user named ${name} exists already. Choose another name.`,
    details: { field: "name", reason: "exists already" }
  })

const noPassword = (name: string) =>
  new ValidationFailed({
    message: `${name} signs in at the OpenID provider and has no password here.`,
    details: { field: "password", reason: "the user signs in at the OpenID provider" }
  })
