import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentOrigin } from "../domain/Origin.ts"
import { Audit } from "../services/storage/Audit.ts"
import { SignIns } from "../services/users/SignIns.ts"
import { askForBearer, askToWaitAsToldIn } from "./Admission.ts"
import { remoteNetwork } from "./RemoteAddress.ts"
import { ServedApi } from "./ServedApi.ts"

/** Signing in to the administration API. */
export const layer = HttpApiBuilder.group(
  ServedApi,
  "sign-in",
  Effect.fn(function* (handlers) {
    const signIns = yield* SignIns
    const audit = yield* Audit
    return handlers.handle("createSession", ({ payload: { name, password } }) =>
      Effect.gen(function* () {
        const credential = { kind: "password", name, password: Redacted.make(password) } as const
        const { person, secret } = yield* signIns.signIn(credential, yield* remoteNetwork).pipe(
          Effect.tapErrorTag("UNAUTHORIZED", () => askForBearer),
          Effect.tapErrorTag("RATE_LIMITED", askToWaitAsToldIn)
        )
        const origin = yield* CurrentOrigin
        const own = person.user?.name ?? name
        yield* Effect.provideService(
          audit.record({ action: "user.signed-in", subject: "password" }),
          CurrentOrigin,
          { ...origin, actor: `user ${own}` }
        )
        return { token: Redacted.value(secret), name: own, role: person.role }
      })
    )
  })
)
