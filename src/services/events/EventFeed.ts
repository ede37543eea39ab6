import { Effect, Option, Queue, Schedule, Stream } from "effect"
import { type Execution, isFinished } from "../../domain/Execution.ts"
import { type ExecutionEvent, isEnding, type LoggedEvent } from "../../domain/ExecutionEvent.ts"
import type { EventLog, LogView } from "../../engine/journal/EventLog.ts"

/** The source of a stream. */
export interface Source<E> {
  readonly executionId: string
  readonly log: EventLog["Service"]
  /** Emits when the execution may have changed. */
  readonly changes: Queue.Dequeue<void>
  /** The execution as `GET /runs/{id}` returns it. */
  readonly execution: Effect.Effect<Execution, E>
}

/** The position of a stream: the last entry it sent, the highest percentage, and whether it has read once. */
interface Place {
  readonly seq: number
  readonly percentage: number
  readonly looked: boolean
}

/** Retries, so that a short outage of the database does not end a stream. */
const patience = Schedule.max([Schedule.exponential("200 millis"), Schedule.recurs(5)])

/** The number of the entry about the end, logged or not. */
export const endingOf = ({ ending, seq }: LogView): number => ending ?? seq + 1

/**
 * The entries of an execution's log after `seq`, then new events, up to the end. A stream that can no longer read ends
 * without the event about the end, so that its client reconnects where it broke off.
 */
export const follow = <E extends { readonly message: string }>(
  source: Source<E>,
  seq: number
): Stream.Stream<ExecutionEvent> => {
  const look = Effect.fnUntraced(function* (place: Place) {
    if (place.looked) yield* Queue.take(source.changes)
    const found = yield* source.log.after(source.executionId, place.seq)
    if (Option.isNone(found)) return [[], Option.none<Place>()] as const
    const view = found.value
    const events = view.events.filter(({ kind }) => !isEnding(kind)).map((event) => eventOf(source, event))
    if (isFinished(view.status)) {
      return [[...events, endOf(view, yield* source.execution)], Option.none<Place>()] as const
    }
    const percentage = Math.max(place.percentage, ...view.events.map(percentageOf))
    const passing = view.percentage > percentage ? [progressOf(source, view)] : []
    const next = {
      seq: Math.max(place.seq, view.seq),
      percentage: Math.max(percentage, view.percentage),
      looked: true
    }
    return [[...events, ...passing], Option.some<Place>(next)] as const
  })
  return Stream.paginate({ seq, percentage: 0, looked: false }, (place: Place) =>
    look(place).pipe(
      Effect.retry(patience),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning("A stream of events broke off", error.message), [
          [],
          Option.none<Place>()
        ] as const)
      )
    )
  )
}

const eventOf = <E>({ executionId }: Source<E>, { at, data, kind, seq }: LoggedEvent): ExecutionEvent => ({
  id: String(seq),
  event: kind,
  data: { executionId, at, ...(data ?? { status: kind === "execution.pending" ? "pending" : "running" }) }
})

const endOf = (view: LogView, execution: Execution): ExecutionEvent => ({
  id: String(endingOf(view)),
  event: `execution.${execution.status}`,
  data: execution
})

const progressOf = <E>({ executionId }: Source<E>, { percentage, step }: LogView): ExecutionEvent => ({
  event: "progress",
  data: { executionId, step: step ?? "", percentage }
})

const percentageOf = ({ data }: LoggedEvent): number => {
  const percentage = data?.["percentage"]
  return typeof percentage === "number" ? percentage : 0
}
