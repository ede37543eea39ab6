import { Clock, Context, Effect, Function, Layer, Metric, Ref, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** The slot in the intake that the current request holds; if there is none, releasing does nothing. */
export interface IntakeSlot {
  /** Releases the slot before the response, when the request only has to wait. */
  readonly leave: Effect.Effect<void>
  /** Does something that may take long but costs little, such as waiting for a slow sender, without the slot. */
  readonly aside: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The slot in the intake that the request at hand holds. */
export const CurrentIntakeSlot = Context.Reference<IntakeSlot>("docflow/admission/CurrentIntakeSlot", {
  defaultValue: () => ({ leave: Effect.void, aside: Function.identity })
})

/** How long there may be more runs than slots, in milliseconds: a burst is accepted, anything longer is overload. */
const patience = 2_000
/** Overload ends after this time in which no run found the intake full, in milliseconds. */
const calm = 1_000
/** The number of runs that is too many even in a burst. */
const most = 1_000

const queued = Metric.gauge("executions_queued", {
  description: "Accepted executions that wait for a runner, in all processes together; counted every second."
})

/** The part of the queue that no single organization may fill, so that runs of others are accepted. */
const partForOthers = 1 / 8

/**
 * Counts the runs that are being checked and accepted. It accepts a burst; during overload it refuses further runs before
 * anything is read or written for them, so that those already admitted stay fast.
 */
export const makeIntake = (slots: number) => {
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
  return {
    /** Whether a run that has just arrived is one too many. */
    isFull: Effect.map(Clock.currentTimeMillis, (now) => {
      if (taken <= slots) return false
      fullSince ??= now
      const isTooMuch = now < sheddingUntil || now - fullSince > patience || taken > most
      if (isTooMuch) sheddingUntil = now + calm
      return isTooMuch
    }),
    /** Holds a slot until the effect ends or releases it. */
    hold: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const { slot, take } = makeSlot()
        const held = Effect.provideService(effect, CurrentIntakeSlot, slot)
        return Effect.ensuring(Effect.andThen(take, held), slot.leave)
      })
  }
}

/** How many runs are accepted at the same time; beyond it, runs would only wait for each other. */
const intakeSlots = 8

/**
 * Decides who is answered 503 before anything else is looked at: runs that come faster than they can be accepted, and runs that
 * would wait behind too many accepted ones. Accepted executions are kept, so the queue must not grow without bound.
 */
export class Overload extends Context.Service<
  Overload,
  {
    /** Whether a run of this organization is one too many. */
    isTooMuch(organizationId: string): Effect.Effect<boolean>
    /** Holds a slot until the effect ends or releases it. */
    hold<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Counts the queue again immediately; otherwise, this happens every second. */
    readonly count: Effect.Effect<void>
  }
>()("docflow/Overload") {
  /** `limit`: accepted executions that may wait for a runner, in all processes together. */
  static readonly layer = (limit: number) =>
    Layer.effect(
      Overload,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const intake = makeIntake(intakeSlots)
        const mostOfOne = Math.ceil(limit * (1 - partForOthers))
        const full = yield* Ref.make({ all: false, organizations: new Set<string>() })
        // If the database is unavailable, the last known number still applies.
        const count = Effect.ignore(
          Effect.gen(function* () {
            const rows = yield* sql<{ organization_id: string; waiting: number }>`
              select organization_id, count(*)::int as waiting
              from (select organization_id from executions where status = 'pending' limit ${limit}) pending
              group by organization_id`
            const all = rows.reduce((sum, { waiting }) => sum + waiting, 0)
            yield* Metric.update(queued, all)
            yield* Ref.set(full, {
              all: all >= limit,
              organizations: new Set(
                rows.flatMap(({ organization_id, waiting }) =>
                  waiting >= mostOfOne ? [organization_id] : []
                )
              )
            })
          })
        )
        yield* count.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)
        const isFull = (organizationId: string) =>
          Effect.map(Ref.get(full), ({ all, organizations }) => all || organizations.has(organizationId))
        return Overload.of({
          isTooMuch: (organizationId) =>
            Effect.flatMap(intake.isFull, (is) => (is ? Effect.succeed(true) : isFull(organizationId))),
          hold: intake.hold,
          count
        })
      })
    )
}
