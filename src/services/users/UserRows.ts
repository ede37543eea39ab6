import { Schema } from "effect"
import { Role, type User } from "../../domain/User.ts"

/** The columns of a user, without the hash of the password. */
export const userColumns =
  "id, name, role, password is not null as has_password, disabled_at, created_at, last_sign_in_at"

/** A row of these columns. */
export const UserRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Role,
  has_password: Schema.Boolean,
  disabled_at: Schema.NullOr(Schema.Date),
  created_at: Schema.Date,
  last_sign_in_at: Schema.NullOr(Schema.Date)
})

/** A user as it is shown. */
export const userOf = (row: typeof UserRow.Type): User => ({
  id: row.id,
  name: row.name,
  role: row.role,
  signIn: row.has_password ? "password" : "oidc",
  disabled: row.disabled_at !== null,
  createdAt: row.created_at.toISOString(),
  lastSignInAt: row.last_sign_in_at?.toISOString() ?? null
})
