import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RateLimited, Unauthorized, ValidationFailed } from "../domain/Errors.ts"
import { NewUser, Role, User, UserChange } from "../domain/User.ts"
import { id, missing, page, summary } from "./AdminParts.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { Contract, Defects } from "./Gate.ts"
import { pageParameters } from "./Paging.ts"

/** Users, and how many there are. */
export const UserList = Schema.Struct({ users: Schema.Array(User), ...page })

/** The endpoints that manage users. */
export const userEndpoints = [
  HttpApiEndpoint.get("listUsers", "/users", {
    query: pageParameters,
    success: UserList
  }).annotateMerge(summary("List users in the order of their names")),
  HttpApiEndpoint.post("addUser", "/users", {
    payload: NewUser,
    success: User.pipe(HttpApiSchema.status(201)),
    error: envelope(ValidationFailed)
  }).annotateMerge(summary("Add a user who signs in with a password")),
  HttpApiEndpoint.put("changeUser", "/users/:id", {
    params: { id },
    payload: UserChange,
    success: User,
    error: [missing, envelope(ValidationFailed)]
  }).annotateMerge(summary("Change the role or password of a user, disable or enable the user"))
] as const

/** A session of a user: its token takes the place of the admin token, with the user's role. */
export const UserSession = Schema.Struct({ token: Schema.String, name: Schema.String, role: Role })

/** Signing in to the administration API; the only endpoint of it that needs no token. */
export class SignInApi extends HttpApiGroup.make("sign-in")
  .add(
    HttpApiEndpoint.post("createSession", "/sessions", {
      payload: Schema.Struct({
        name: Schema.String.check(Schema.isBetweenLength(1, 200)),
        password: Schema.String.check(Schema.isBetweenLength(1, 1000))
      }),
      success: UserSession.pipe(HttpApiSchema.status(201)),
      error: [envelope(Unauthorized), envelope(RateLimited)]
    }).annotateMerge(summary("Sign in with name and password; the session ends after 12 hours without use"))
  )
  .middleware(Contract)
  .middleware(Defects)
  .prefix("/api/admin/v1") {}
