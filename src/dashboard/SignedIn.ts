import { Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { ServiceUnavailable, Unauthorized } from "../domain/Errors.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { onStorageFailure } from "../services/storage/StorageUnavailable.ts"

/** Runs an effect on behalf of whoever is signed in, as the audit log records. */
export const asSession = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentOrigin, (origin) =>
    Effect.provideService(effect, CurrentOrigin, { ...origin, actor: "session" })
  )

/** Lets in who is signed in. */
export class SignedIn extends HttpApiMiddleware.Service<SignedIn>()("docflow/dashboard/SignedIn", {
  error: [envelope(Unauthorized), envelope(ServiceUnavailable)]
}) {}

/** By the cookie, against the sessions in the database. */
export const layer = Layer.effect(
  SignedIn,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    return SignedIn.of((httpEffect) =>
      Effect.gen(function* () {
        const signedIn = yield* onStorageFailure(sessions.isSignedIn(yield* SessionCookie.read))
        if (signedIn) return yield* asSession(httpEffect)
        return yield* new Unauthorized({ message: "You are not signed in" })
      })
    )
  })
)
