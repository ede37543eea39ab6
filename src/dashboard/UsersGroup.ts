import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { Contract, Defects } from "../api/Gate.ts"
import { NotFound } from "../api/NotFound.ts"
import { pageParameters } from "../api/Paging.ts"
import { UserList } from "../api/UserEndpoints.ts"
import { RateLimited, ValidationFailed } from "../domain/Errors.ts"
import { NewPassword, NewUser, User, UserChange } from "../domain/User.ts"
import { SameOrigin } from "./SameOrigin.ts"
import { SignedIn } from "./SignedIn.ts"

/** The users, for administrators. */
export class UsersGroup extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("list", "/users", { query: pageParameters, success: UserList }),
    HttpApiEndpoint.post("add", "/users", {
      payload: NewUser,
      success: User.pipe(HttpApiSchema.status(201)),
      error: envelope(ValidationFailed)
    }),
    HttpApiEndpoint.put("change", "/users/:id", {
      params: { id: Schema.String },
      payload: UserChange,
      success: User,
      error: [envelope(NotFound, "INVALID_INPUT"), envelope(ValidationFailed)]
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SignedIn)
  .middleware(SameOrigin) {}

/** What users change about themselves. */
export class AccountGroup extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.put("changePassword", "/account/password", {
      payload: Schema.Struct({
        current: Schema.String.check(Schema.isBetweenLength(1, 1000)),
        next: NewPassword
      }),
      success: Schema.Struct({ changed: Schema.Literal(true) }),
      error: [envelope(ValidationFailed), envelope(RateLimited)]
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SignedIn)
  .middleware(SameOrigin) {}
