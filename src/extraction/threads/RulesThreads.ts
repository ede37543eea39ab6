import { type Duration, Effect, Layer, Struct } from "effect"
import { availableParallelism } from "node:os"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { DocumentIR, Line, Page } from "../../domain/DocumentIR.ts"
import { rememberKind } from "../kinds/DocumentKind.ts"
import { definitionsOf } from "../lexicon/Field.ts"
import { heldLexicon } from "../lexicon/ReadLexicon.ts"
import { isoToday } from "../layout/Reading.ts"
import { readByRules, type ReadByRules, RulesReader } from "../rules/Rules.ts"
import { threadEnvironment } from "../../support/ThreadEnvironment.ts"
import { type AnswerOfRules, startOfThread } from "./RulesMessages.ts"
import { type StartedThread, startedThread, type ThreadEnded } from "./StartedThread.ts"

/** The thread's program: TypeScript in a checkout, JavaScript once built. */
const program = new URL(`./RulesThread${extname(new URL(import.meta.url).pathname)}`, import.meta.url)

/** Launches a thread; `folder` is the user's own lexicon, which the thread reads itself unless the process holds it. */
export const launchThread = (folder: string | undefined): Worker =>
  new Worker(program, {
    workerData: startOfThread(folder, heldLexicon(folder)),
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 24 }
  })

/** How threads are launched, and how many at most. */
export interface Threads {
  readonly launch: () => Worker
  readonly most: number
  /** When the first is launched, if no document needs it before: it takes a second to load. */
  readonly launchAfter: Duration.Input
}

/** Words that are copied to a thread without a pause: about a millisecond. */
const wordsAtOnce = 1_000

/** The parts of a page as a thread is told them: the tables of a sheet, which rules do not read, take as long to copy as its lines. */
function* partsOf(whole: Page): Generator<Page> {
  const page = Struct.omit(whole, ["lines", "markdown", "tables"])
  let part: Array<Line> = []
  let words = 0
  for (const line of whole.lines) {
    part.push(line)
    words += line.words?.length ?? 0
    if (words < wordsAtOnce) continue
    yield { ...page, lines: part }
    part = []
    words = 0
  }
  yield { ...page, lines: part }
}

/** Tells a thread the pages of a document, with a pause after each part, so that a long one blocks nobody. */
const hold = Effect.fnUntraced(function* (thread: StartedThread, id: number, { pages }: DocumentIR) {
  for (const whole of pages) {
    let goesOn = false
    for (const page of partsOf(whole)) {
      thread.tell({ ask: "hold", id, page, goesOn })
      goesOn = true
      yield* Effect.yieldNow
    }
  }
})

/** After so many threads that ended before they could be asked, no more are launched. */
const mostFailures = 3

/** A document whose thread ended is read again in another one so often: another document may have ended it. */
const mostRepeats = 1

/** Launches threads when they are needed, and chooses the one with the least to do. */
const threadPool = ({ launch, most }: Threads) => {
  let threads: ReadonlyArray<StartedThread> = []
  let failures = 0
  const launched = (): StartedThread => {
    const thread = startedThread(launch())
    threads = [...threads, thread]
    return thread
  }
  /**
   * The idlest of the threads that can be asked at once, or else one that still loads its program; another one is launched while
   * all are busy. Undefined if none can be launched.
   */
  const seat = (): StartedThread | undefined => {
    failures += threads.filter((thread) => !thread.isAlive() && !thread.isReady()).length
    threads = threads.filter((thread) => thread.isAlive())
    const ready = threads.filter((thread) => thread.isReady())
    const [idlest] = ready.toSorted((left, right) => left.documents() - right.documents())
    const launching = threads.find((thread) => !thread.isReady())
    if (idlest?.documents() === 0) return idlest
    const more = launching === undefined && threads.length < most && failures < mostFailures
    const another = more ? launched() : undefined
    return idlest ?? launching ?? another
  }
  return {
    seat,
    end: Effect.suspend(() => Effect.forEach(threads, (thread) => thread.end))
  }
}

const readIn = ({ seat }: ReturnType<typeof threadPool>): ReadByRules => {
  let lastId = 0
  return Effect.fnUntraced(function* (document, options) {
    const definitions = definitionsOf(options.fields)
    if (definitions === undefined) return yield* readByRules(document, options)
    const { dateOrder, relations } = options
    const today = options.today ?? (yield* isoToday)
    const askedOf = (thread: StartedThread) => {
      const id = ++lastId
      return hold(thread, id, document).pipe(
        Effect.andThen(thread.ask({ ask: "read", id, definitions, relations, dateOrder, today })),
        Effect.onInterrupt(() => Effect.sync(() => thread.stop(id)))
      )
    }
    const answerOf = (
      repeats: number,
      ended?: ThreadEnded
    ): Effect.Effect<AnswerOfRules | undefined, ThreadEnded> =>
      Effect.suspend(() => {
        const thread = seat()
        // What may have ended a thread is never read on the event loop.
        if (thread === undefined) return ended === undefined ? Effect.succeed(undefined) : Effect.fail(ended)
        return Effect.catchTag(askedOf(thread), "ThreadEnded", (error) => {
          if (!thread.isReady()) return answerOf(repeats, ended)
          return repeats > 0 ? answerOf(repeats - 1, error) : Effect.fail(error)
        })
      })
    const answer = yield* Effect.orDie(answerOf(mostRepeats))
    if (answer === undefined) return yield* readByRules(document, options)
    if (answer.tell === "defect") return yield* Effect.die(new Error(answer.reason))
    if (answer.kind !== undefined) rememberKind(document, answer.kind)
    return answer.result
  })
}

/** Reads documents by rules in threads that are launched so, when they are needed, the first soon anyway. */
export const layerWith = (threads: Threads): Layer.Layer<never> =>
  Layer.effect(
    RulesReader,
    Effect.acquireRelease(
      Effect.sync(() => threadPool(threads)),
      ({ end }) => end
    ).pipe(
      Effect.tap(({ seat }) => Effect.sync(seat).pipe(Effect.delay(threads.launchAfter), Effect.forkScoped)),
      Effect.map(readIn)
    )
  )

/**
 * Reads documents by rules in threads, so that the event loop has time for the API: one thread for two cores, at most four. Only
 * where none can load its program, rules run on the event loop.
 * `folder` is the user's own lexicon, which the threads read as well.
 */
export const layer = (folder: string | undefined): Layer.Layer<never> =>
  layerWith({
    launch: () => launchThread(folder),
    launchAfter: "3 seconds",
    most: Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))
  })
