import { Clock, Context, Effect, Function, Layer } from "effect"

/** The slot in the intake that the current request holds; if there is none, releasing does nothing. */
export interface IntakeSlot {
  /** Releases the slot before the response, when the request only has to wait. */
  readonly leave: Effect.Effect<void>
  /** Does something that may take long but costs little, such as waiting for a slow sender, without the slot. */
  readonly aside: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The slot in the intake that the request at hand holds. */
export const CurrentIntakeSlot = Context.Reference<IntakeSlot>("docflow/http/CurrentIntakeSlot", {
  defaultValue: () => ({ leave: Effect.void, aside: Function.identity })
})

/** How long there may be more runs than slots, in milliseconds: a burst is accepted, anything longer is overload. */
const patience = 2_000
/** Overload ends after this time in which no run found the intake full, in milliseconds. */
const calm = 1_000
/** The number of runs that is too many even in a burst. */
const most = 1_000

/**
 * Counts the runs that are being checked and accepted. It accepts a burst; during overload it refuses further runs before
 * anything is read or written for them, so that those already admitted stay fast. Only this file changes the count.
 */
export class Intake extends Context.Service<
  Intake,
  {
    /** Whether a run that has just arrived is one too many. */
    readonly isFull: Effect.Effect<boolean>
    /** Holds a slot until the effect ends or releases it. */
    hold<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  }
>()("docflow/http/Intake") {
  static readonly layer = (slots: number) =>
    Layer.sync(Intake, () => {
      let taken = 0
      let fullSince: number | undefined
      let sheddingUntil = 0
      const makeSlot = () => {
        let isHeld = false
        const take = Effect.sync(() => {
          if (!isHeld) taken += 1
          isHeld = true
        })
        const leave = Effect.sync(() => {
          if (isHeld) taken -= 1
          isHeld = false
          // A later burst must not be measured from the start of this one.
          if (taken <= slots) fullSince = undefined
        })
        const slot: IntakeSlot = {
          leave,
          aside: (effect) => Effect.andThen(leave, Effect.ensuring(effect, take))
        }
        return { slot, take }
      }
      return Intake.of({
        isFull: Effect.map(Clock.currentTimeMillis, (now) => {
          if (taken <= slots) return false
          fullSince ??= now
          const isTooMuch = now < sheddingUntil || now - fullSince > patience || taken > most
          if (isTooMuch) sheddingUntil = now + calm
          return isTooMuch
        }),
        hold: (effect) =>
          Effect.suspend(() => {
            const { slot, take } = makeSlot()
            const held = Effect.provideService(effect, CurrentIntakeSlot, slot)
            return Effect.ensuring(Effect.andThen(take, held), slot.leave)
          })
      })
    })
}
