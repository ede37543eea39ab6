import { Effect, Schema } from "effect"
import type { Worker } from "node:worker_threads"
import { type AnswerOfRules, isFromRules, type ToRules } from "./RulesMessages.ts"

/** A thread ended while it read: it needed too much memory, for example. */
export class ThreadEnded extends Schema.TaggedError<ThreadEnded>()("ThreadEnded", {
  reason: Schema.String
}) {
  override readonly message = `The rules could not be applied: their thread ended (${this.reason})`
}

/** A thread that reads documents by rules, as the process sees it. */
export interface StartedThread {
  readonly isAlive: () => boolean
  /** Whether it has loaded its program and can be asked at once. */
  readonly isReady: () => boolean
  /** The number of documents that it reads, in turns. */
  readonly documents: () => number
  readonly tell: (message: ToRules) => void
  /** Tells it a question and waits for the answer. */
  readonly ask: (question: ToRules) => Effect.Effect<AnswerOfRules, ThreadEnded>
  /** Tells it to stop reading a document, without waiting. */
  readonly stop: (id: number) => void
  readonly end: Effect.Effect<void>
}

/** Talks with a thread that was launched. It does not keep the process running. */
export const startedThread = (worker: Worker): StartedThread => {
  const waiting = new Map<number, (answer: Effect.Effect<AnswerOfRules, ThreadEnded>) => void>()
  let reason = "it has stopped"
  let alive = true
  let ready = false
  worker.unref()
  worker.on("message", (message: unknown) => {
    if (!isFromRules(message)) return
    if (message.tell === "ready") return void (ready = true)
    waiting.get(message.id)?.(Effect.succeed(message))
    waiting.delete(message.id)
  })
  worker.on("error", (cause) => {
    reason = cause.message
  })
  worker.on("exit", () => {
    alive = false
    for (const resume of waiting.values()) resume(Effect.fail(new ThreadEnded({ reason })))
    waiting.clear()
  })
  const tell = (message: ToRules): void => worker.postMessage(message, [])
  return {
    isAlive: () => alive,
    isReady: () => ready,
    documents: () => waiting.size,
    tell,
    ask: (question) =>
      Effect.callback((resume) => {
        if (!alive) return resume(Effect.fail(new ThreadEnded({ reason })))
        waiting.set(question.id, resume)
        tell(question)
      }),
    stop: (id) => {
      waiting.delete(id)
      tell({ ask: "stop", id })
    },
    end: Effect.asVoid(Effect.promise(() => worker.terminate()))
  }
}
