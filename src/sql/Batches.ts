import { Cause, Clock, Deferred, Effect, Queue, Result, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { outageOf } from "./Outage.ts"

/** Each lane runs one statement at a time. Most items take the first: the more share a statement, the less each costs. */
const laneCount = 3
/** A statement that runs for longer, in milliseconds, may wait for a lock: new items take another lane. */
const late = 20
const mostItems = 256
/** The maximum size of a batch in characters, unless a single item is larger. */
const mostCharacters = 1024 * 1024

/** Items that are sent to the database together. */
export interface Batches<A, B> {
  /** Sends an item with others; the returned effect completes once the batch is committed. */
  readonly offer: (item: A) => Effect.Effect<Deferred.Deferred<B, SqlError.SqlError>>
  /** Sends an item with others and waits for its result. */
  readonly send: (item: A) => Effect.Effect<B, SqlError.SqlError>
}

interface BatchOptions<A, B> {
  /** Sends items in one statement; returns a result for each, in their order. */
  readonly statement: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, SqlError.SqlError>
  /** Items of one key take effect in the order in which they were offered; if one fails, those waiting behind it fail too. */
  readonly keyOf: (item: A) => string
  /** Length of an item in characters. */
  readonly sizeOf: (item: A) => number
}

interface Entry<A, B> {
  readonly item: A
  readonly key: string
  readonly result: Deferred.Deferred<B, SqlError.SqlError>
}

interface Lane<A, B> {
  readonly bell: Queue.Queue<void>
  /** The keys of items without a result, and how many each has. */
  readonly keys: Map<string, number>
  /** When its statement was sent; undefined if none is running. */
  sentAt: number | undefined
  /** Items for the next statements. */
  waiting: Array<Entry<A, B>>
}

/**
 * Group commit: while a statement is running, the next one collects new items. A single item is sent immediately. Items of
 * a key are in one lane as long as one of them has no result. When a statement of several items fails, they are sent again
 * one by one, so that a bad one fails alone: sending an item twice must be harmless.
 */
export const makeBatches = <A, B>(
  options: BatchOptions<A, B>
): Effect.Effect<Batches<A, B>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lanes = yield* Effect.forEach(Array.from({ length: laneCount }), () =>
      Effect.map(Queue.sliding<void>(1), (bell): Lane<A, B> => ({
        bell,
        keys: new Map(),
        sentAt: undefined,
        waiting: []
      }))
    )
    yield* Effect.addFinalizer(() => abandon(lanes.flatMap(({ waiting }) => waiting)))
    yield* Effect.forEach(lanes, (lane) => Effect.forkScoped(Effect.forever(sendWaiting(lane, options))))

    const laneFor = (key: string, now: number) =>
      lanes.find(({ keys }) => keys.has(key)) ?? lanes.find((lane) => !isLate(lane, now)) ?? least(lanes)

    const offer = (item: A) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const result = Deferred.makeUnsafe<B, SqlError.SqlError>()
        const key = options.keyOf(item)
        const lane = laneFor(key, now)
        if (lane === undefined) return Effect.succeed(result)
        lane.keys.set(key, (lane.keys.get(key) ?? 0) + 1)
        lane.waiting.push({ item, key, result })
        return Effect.as(Queue.offer(lane.bell, undefined), result)
      })
    return { offer, send: (item) => Effect.flatMap(offer(item), Deferred.await) }
  })

const isLate = <A, B>({ sentAt }: Lane<A, B>, now: number): boolean =>
  sentAt !== undefined && now - sentAt > late

/** The lane with the fewest waiting items. */
const least = <A, B>(lanes: ReadonlyArray<Lane<A, B>>) =>
  lanes.toSorted((one, other) => one.waiting.length - other.waiting.length)[0]

/** Gives an entry its result. */
const settle = <A, B>(
  { keys }: Lane<A, B>,
  { key, result }: Entry<A, B>,
  value: Effect.Effect<B, SqlError.SqlError>
): void => {
  if (!Deferred.doneUnsafe(result, value)) return
  const others = (keys.get(key) ?? 1) - 1
  if (others === 0) keys.delete(key)
  else keys.set(key, others)
}

const sendWaiting = <A, B>(lane: Lane<A, B>, options: BatchOptions<A, B>) =>
  Effect.gen(function* () {
    yield* Queue.take(lane.bell)
    // Wait for other items of this turn of the event loop.
    yield* Effect.yieldNow
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, fitting(lane.waiting, options))
      lane.sentAt = yield* Clock.currentTimeMillis
      yield* sendBatch(lane, batch, options).pipe(Effect.onInterrupt(() => abandon(batch)))
      lane.sentAt = undefined
    }
  })

/** The number of entries that fit into a batch, at least one. */
const fitting = <A, B>(entries: ReadonlyArray<Entry<A, B>>, { sizeOf }: BatchOptions<A, B>): number => {
  let characters = 0
  const end = entries.findIndex(({ item }, index) => {
    characters += sizeOf(item)
    return index > 0 && (index >= mostItems || characters > mostCharacters)
  })
  return end === -1 ? entries.length : end
}

/** Whether a transaction was ended by a deadlock or a serialization failure, so that it may be sent again. */
const isCollision = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "DeadlockError" || reason._tag === "SerializationError"

/** Sends a batch; failures are passed to those who wait for it. */
const sendBatch = <A, B>(
  lane: Lane<A, B>,
  batch: ReadonlyArray<Entry<A, B>>,
  options: BatchOptions<A, B>
): Effect.Effect<void> =>
  options.statement(batch.map(({ item }) => item)).pipe(
    Effect.matchCauseEffect({
      onSuccess: (results) =>
        Effect.sync(() => {
          for (const [index, entry] of batch.entries()) {
            const value = results[index]
            settle(lane, entry, value === undefined ? noResult : Effect.succeed(value))
          }
        }),
      onFailure: (cause) => {
        const found = Cause.findError(cause)
        const isOutage =
          Result.isSuccess(found) && outageOf(found.success) !== undefined && !isCollision(found.success)
        // An outage concerns all who wait: their own statements would take as long to fail.
        if (isOutage) return Effect.sync(() => fail(lane, [...batch, ...lane.waiting], cause))
        return batch.length === 1 || Result.isFailure(found)
          ? Effect.sync(() => fail(lane, batch, cause))
          : Effect.forEach(batch, (entry) => sendAlone(lane, entry, batch, options), { discard: true })
      }
    })
  )

const noResult = Effect.die("a statement returned too few results")

/** Sends an entry of a failed batch, unless an earlier one has included it. */
const sendAlone = <A, B>(
  lane: Lane<A, B>,
  entry: Entry<A, B>,
  batch: ReadonlyArray<Entry<A, B>>,
  options: BatchOptions<A, B>
): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (Deferred.isDoneUnsafe(entry.result)) return Effect.void
    const behind = batch.slice(batch.indexOf(entry) + 1).filter(({ key }) => key === entry.key)
    return Effect.matchCauseEffect(options.statement([entry.item]), {
      onSuccess: ([value]) =>
        Effect.sync(() => settle(lane, entry, value === undefined ? noResult : Effect.succeed(value))),
      onFailure: (cause) => Effect.sync(() => fail(lane, [entry, ...behind], cause))
    })
  })

/** Fails entries, and those of the same keys that wait behind them. */
const fail = <A, B>(
  lane: Lane<A, B>,
  entries: ReadonlyArray<Entry<A, B>>,
  cause: Cause.Cause<SqlError.SqlError>
): void => {
  const keys = new Set(entries.map(({ key }) => key))
  const behind = lane.waiting.filter(({ key }) => keys.has(key))
  lane.waiting = lane.waiting.filter(({ key }) => !keys.has(key))
  for (const entry of [...entries, ...behind]) settle(lane, entry, Effect.failCause(cause))
}

/** Drops entries: those who wait for them are interrupted. */
const abandon = <A, B>(entries: ReadonlyArray<Entry<A, B>>) =>
  Effect.forEach(entries, ({ result }) => Deferred.interrupt(result), { discard: true })
