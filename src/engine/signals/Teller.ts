import { Effect, Queue, type Scope } from "effect"

/** Before the ids of executions that have changed but not ended. */
const changeMark = "~"
/** Before the id of an execution that was erased. */
const erasedMark = "!"
/** Changes are told to the other processes together, at most this often: NOTIFY takes a lock of the whole database. */
const changeInterval = "50 millis"
/** Number of ids that fit into one notification, which has less than 8,000 bytes. */
const idsPerNotification = 200

interface Teller {
  /** Tells at once that an execution was erased. */
  erased(executionId: string): Effect.Effect<void>
  /** Tells at once that an execution has ended. */
  end(executionId: string): Effect.Effect<void>
  /** Tells soon that an execution has changed; several changes are told as one, and none after the end. */
  change(executionId: string): Effect.Effect<void>
}

/**
 * Tells other processes what happened to executions, in few notifications: while one is on its way, the next collects
 * everything that happens meanwhile.
 */
export const makeTeller = (
  notify: (payloads: ReadonlyArray<string>) => Effect.Effect<void>
): Effect.Effect<Teller, never, Scope.Scope> =>
  Effect.gen(function* () {
    const ended = new Set<string>()
    const changed = new Set<string>()
    const anyBell = yield* Queue.sliding<void>(1)
    const endBell = yield* Queue.sliding<void>(1)

    const tell = Effect.gen(function* () {
      yield* Queue.take(anyBell)
      yield* Effect.raceFirst(Queue.take(endBell), Effect.sleep(changeInterval))
      const payloads = [...payloadsOf([...ended], ""), ...payloadsOf([...changed], changeMark)]
      ended.clear()
      changed.clear()
      if (payloads.length > 0) yield* notify(payloads)
    })
    yield* Effect.forkScoped(Effect.forever(tell))

    return {
      erased: (executionId) => notify([erasedMark + executionId]),
      end: (executionId) =>
        Effect.suspend(() => {
          changed.delete(executionId)
          ended.add(executionId)
          return Effect.andThen(
            Queue.offer(anyBell, undefined),
            Effect.asVoid(Queue.offer(endBell, undefined))
          )
        }),
      change: (executionId) =>
        Effect.suspend(() => {
          changed.add(executionId)
          return Effect.asVoid(Queue.offer(anyBell, undefined))
        })
    }
  })

const payloadsOf = (ids: ReadonlyArray<string>, mark: string): ReadonlyArray<string> =>
  Array.from(
    { length: Math.ceil(ids.length / idsPerNotification) },
    (_, part) => mark + ids.slice(part * idsPerNotification, (part + 1) * idsPerNotification).join(",")
  )

/** Wakes for every execution that a notification names. */
export const readPayload = (
  payload: string,
  wake: Record<"ended" | "changed" | "erased", (executionId: string) => Effect.Effect<void>>
): Effect.Effect<void> => {
  if (payload.startsWith(erasedMark)) return wake.erased(payload.slice(erasedMark.length))
  return payload.startsWith(changeMark)
    ? Effect.forEach(payload.slice(changeMark.length).split(","), wake.changed, { discard: true })
    : Effect.forEach(payload.split(","), wake.ended, { discard: true })
}
