import { Schema } from "effect"

/** What a user may do, from little to everything; each role includes those before it. */
export const Role = Schema.Literals(["viewer", "reviewer", "operator", "administrator"])
export type Role = typeof Role.Type

/** Every role, from the lowest. */
export const roles: ReadonlyArray<Role> = Role.literals

/** Whether a role includes another one. */
export const includesRole = (own: Role, needed: Role): boolean => roles.indexOf(own) >= roles.indexOf(needed)

/** The name by which a user signs in; upper and lower case are the same. */
export const UserName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$/u, {
    message: "must be 1 to 100 letters, digits and . _ @ + -, and begin with a letter or a digit"
  })
)

/** A new password. Length protects better than rules about characters. */
export const NewPassword = Schema.String.check(Schema.isBetweenLength(12, 256))

/** A person who uses the dashboard and the administration API. */
export const User = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Role,
  /** How the user signs in: with a password, or at the OpenID provider. */
  signIn: Schema.Literals(["password", "oidc"]),
  disabled: Schema.Boolean,
  createdAt: Schema.String,
  lastSignInAt: Schema.NullOr(Schema.String)
})
export type User = typeof User.Type

/** A user to be added. */
export const NewUser = Schema.Struct({ name: UserName, role: Role, password: NewPassword })

/** What may change about a user; whatever is omitted stays. */
export const UserChange = Schema.Struct({
  role: Schema.optionalKey(Role),
  disabled: Schema.optionalKey(Schema.Boolean),
  password: Schema.optionalKey(NewPassword)
})
export type UserChange = typeof UserChange.Type

/** Who is signed in, and what this person may do. The admin token and sign-in links belong to no user. */
export interface Person {
  readonly role: Role
  /** `hasPassword` is false for a user of the OpenID provider. */
  readonly user: { readonly id: string; readonly name: string; readonly hasPassword: boolean } | undefined
}
