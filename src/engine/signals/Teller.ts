import { Effect, Queue, type Scope } from "effect"

/** Precedes the ids of executions that have changed but not ended. */
const changeMark = "~"
/** Precedes the id of an execution that was erased. */
const erasedMark = "!"
/**
 * The minimum interval of notifications about changes, which are sent together: NOTIFY takes a lock of the whole
 * database.
 */
const changeInterval = "50 millis"
/** Number of ids that fit into one notification, which has less than 8,000 bytes. */
const idsPerNotification = 200

interface Teller {
  /** Notifies immediately that an execution was erased. */
  erased(executionId: string): Effect.Effect<void>
  /** Notifies immediately that an execution has ended. */
  end(executionId: string): Effect.Effect<void>
  /** Notifies soon that an execution has changed; several changes are merged, and none is sent after the end. */
  change(executionId: string): Effect.Effect<void>
}

/**
 * Notifies other processes about executions, in few notifications: while one is being sent, the next one collects
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
  if (payload === "") return Effect.void
  if (payload.startsWith(erasedMark)) return wake.erased(payload.slice(erasedMark.length))
  return payload.startsWith(changeMark)
    ? Effect.forEach(payload.slice(changeMark.length).split(","), wake.changed, { discard: true })
    : Effect.forEach(payload.split(","), wake.ended, { discard: true })
}
