import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { notFound } from "../api/NotFound.ts"
import { pageOf } from "../api/Paging.ts"
import { ValidationFailed } from "../domain/Errors.ts"
import { remoteNetwork } from "../http/RemoteAddress.ts"
import { SignIns } from "../services/users/SignIns.ts"
import { redactedChange, Users } from "../services/users/Users.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { CurrentPerson } from "./SignedIn.ts"

const users = HttpApiBuilder.group(
  ServedDashboardApi,
  "users",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    return handlers
      .handle("list", ({ query }) => {
        const page = pageOf(query)
        return Effect.map(users.list(page), (found) => ({ ...found, ...page }))
      })
      .handle("add", ({ payload }) => users.add({ ...payload, password: Redacted.make(payload.password) }))
      .handle("change", ({ params, payload }) =>
        users
          .change(params.id, redactedChange(payload))
          .pipe(Effect.catchTag("UserNotFound", notFound("User")))
      )
  })
)

const account = HttpApiBuilder.group(
  ServedDashboardApi,
  "account",
  Effect.fn(function* (handlers) {
    const signIns = yield* SignIns
    return handlers.handle("changePassword", ({ payload: { current, next } }) =>
      Effect.gen(function* () {
        const { user } = yield* CurrentPerson
        if (user === undefined)
          return yield* new ValidationFailed({ message: "You are not signed in as a user." })
        const own = { user, current: Redacted.make(current), next: Redacted.make(next) }
        const made = yield* signIns.changePassword(own, yield* remoteNetwork).pipe(
          // 401 would tell the page that the session has ended.
          Effect.catchTag("UNAUTHORIZED", ({ message }) => new ValidationFailed({ message })),
          Effect.catchTag("UserNotFound", Effect.die)
        )
        yield* SessionCookie.set(made.secret)
        return { changed: true as const }
      })
    )
  })
)

/** Users: for administrators, and what users change about themselves. */
export const layer = Layer.merge(users, account)
