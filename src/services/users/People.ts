import { Layer } from "effect"
import { OpenIdSignIn } from "./OpenIdSignIn.ts"
import { Passwords } from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"
import { SignIns } from "./SignIns.ts"
import { Users } from "./Users.ts"

/** The people who may sign in, their sessions, and signing in. */
export const layer = Layer.merge(SignIns.layer, OpenIdSignIn.layer).pipe(
  Layer.provideMerge(Layer.merge(Users.layer, Sessions.layer)),
  Layer.provide(Passwords.layer)
)
