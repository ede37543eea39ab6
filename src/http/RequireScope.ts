import { Effect } from "effect"
import type { Caller, Scope } from "../domain/ApiKey.ts"
import { Forbidden } from "../domain/Errors.ts"

/** Forbidden, if the caller's key does not have the scope. */
export const requireScope = ({ scopes }: Caller, scope: Scope): Effect.Effect<void, Forbidden> =>
  scopes.includes(scope)
    ? Effect.void
    : new Forbidden({ message: `API key missing required scope: ${scope}` })
