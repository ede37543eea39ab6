import { Context, Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { roleRefusal } from "../api/RequiredRole.ts"
import { Forbidden, ServiceUnavailable, Unauthorized } from "../domain/Errors.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { type Person, Sessions } from "../services/users/Sessions.ts"
import { onStorageFailure } from "../services/storage/StorageUnavailable.ts"

/** Runs an effect on behalf of whoever is signed in, as the audit log records. */
export const asPerson = <A, E, R>({ user }: Person, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentOrigin, (origin) =>
    Effect.provideService(effect, CurrentOrigin, {
      ...origin,
      actor: user === undefined ? "session" : `user ${user.name}`
    })
  )

/** Who sent the request. */
export class CurrentPerson extends Context.Service<CurrentPerson, Person>()(
  "docflow/dashboard/CurrentPerson"
) {}

/** Lets in who is signed in and has the role that the endpoint requires. */
export class SignedIn extends HttpApiMiddleware.Service<SignedIn, { provides: CurrentPerson }>()(
  "docflow/dashboard/SignedIn",
  { error: [envelope(Unauthorized), envelope(Forbidden), envelope(ServiceUnavailable)] }
) {}

/** By the cookie, against the sessions in the database. */
export const layer = Layer.effect(
  SignedIn,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    return SignedIn.of((httpEffect, { endpoint, group }) =>
      Effect.gen(function* () {
        const person = yield* onStorageFailure(sessions.find(yield* SessionCookie.read))
        if (person === undefined) return yield* new Unauthorized({ message: "You are not signed in" })
        const refusal = roleRefusal(person.role, group.identifier, endpoint.identifier)
        if (refusal !== undefined) return yield* refusal
        return yield* asPerson(person, Effect.provideService(httpEffect, CurrentPerson, person))
      })
    )
  })
)
