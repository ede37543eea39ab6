import { Clock, Context, Effect, Layer } from "effect"

/** Gives the place of the request at hand back, before its answer: what it still does is to wait. */
export const LeaveIntake = Context.Reference<Effect.Effect<void>>("docflow/http/LeaveIntake", {
  defaultValue: () => Effect.void
})

/** More than there are places for is a burst for so long, which is worked off; after that it is overload. Milliseconds. */
const patience = 2_000
/** Overload is over when for so long nobody came who found no place, in milliseconds. */
const calm = 1_000
/** So many are too many, even in a burst. */
const most = 1_000

/**
 * Counts the runs that are being checked and accepted. A burst of them is taken; while there are too many all the time,
 * further ones are refused at once, before anything is read or written for them: those that were let in stay fast.
 */
export class Intake extends Context.Service<
  Intake,
  {
    /** Whether whoever has just come is one too many. */
    readonly isFull: Effect.Effect<boolean>
    /** Holds a place until the effect ends or `LeaveIntake` gives it back. */
    hold<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Does something that may take long but costs little, such as to wait for a slow sender, without a place. */
    aside<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  }
>()("docflow/http/Intake") {
  static readonly layer = (places: number) =>
    Layer.sync(Intake, () => {
      let taken = 0
      let fullSince: number | undefined
      let sheddingUntil = 0
      const move = (change: number) =>
        Effect.sync(() => {
          taken += change
        })
      return Intake.of({
        isFull: Effect.map(Clock.currentTimeMillis, (now) => {
          if (taken <= places) {
            fullSince = undefined
            return false
          }
          fullSince ??= now
          const isTooMuch = now < sheddingUntil || now - fullSince > patience || taken > most
          if (isTooMuch) sheddingUntil = now + calm
          return isTooMuch
        }),
        hold: (effect) =>
          Effect.suspend(() => {
            taken += 1
            let isHeld = true
            const leave = Effect.sync(() => {
              if (isHeld) taken -= 1
              isHeld = false
            })
            return Effect.ensuring(Effect.provideService(effect, LeaveIntake, leave), leave)
          }),
        aside: (effect) => Effect.andThen(move(-1), Effect.ensuring(effect, move(1)))
      })
    })
}
