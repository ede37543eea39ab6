import { Effect, Scope } from "effect"

/**
 * Does something now, and its opposite when the scope closes, whatever interrupts in between. Neither can fail or take time.
 * `Effect.acquireRelease` would copy all services of the caller at the end.
 */
export const heldInScope = (enter: () => void, leave: () => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.uninterruptible(
    Effect.flatMap(Effect.scope, (scope) => {
      enter()
      return Scope.addFinalizer(scope, Effect.sync(leave))
    })
  )
