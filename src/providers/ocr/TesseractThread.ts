import { Worker } from "node:worker_threads"
import { createRequire } from "node:module"
import { Effect, type Scope } from "effect"
import { OcrFailure } from "./Ocr.ts"

const require = createRequire(import.meta.url)

/**
 * A thread that runs the worker of tesseract.js. The library's own `createWorker` is not used, because it does not
 * handle the death of a thread, which would end the process.
 */
export interface TesseractThread {
  readonly isAlive: () => boolean
  /** Runs one of the worker's actions. Interruption ends the thread, because the action itself cannot be stopped. */
  readonly ask: (action: string, payload: object) => Effect.Effect<unknown, OcrFailure>
}

interface Running extends TesseractThread {
  readonly end: () => void
}

interface Answer {
  readonly jobId: string
  readonly status: "resolve" | "reject" | "progress"
  readonly data: unknown
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === "object" && message !== null && "jobId" in message && "status" in message

const died = () => new OcrFailure({ message: "Recognition of a page crashed, or needs too much memory." })

const start = (): Running => {
  const worker = new Worker(require.resolve("tesseract.js/src/worker-script/node/index.js"), {
    // The thread must not see settings and secrets, and its output is ignored.
    env: {},
    stdout: true,
    stderr: true,
    // Its JavaScript makes little garbage; the picture and the network are outside its heap.
    resourceLimits: { maxYoungGenerationSizeMb: 8 }
  })
  worker.unref()
  let alive = true
  let jobs = 0
  const end = () => {
    alive = false
    void worker.terminate()
  }
  worker.on("error", end).on("exit", end)
  worker.stdout.resume()
  worker.stderr.resume()
  const ask = (action: string, payload: object) =>
    Effect.callback<unknown, OcrFailure>((resume) => {
      if (!alive) return resume(Effect.fail(died()))
      const jobId = `${action}-${++jobs}`
      const forget = () => {
        worker.off("message", onMessage).off("exit", onEnd)
        worker.unref()
      }
      const onEnd = () => {
        forget()
        resume(Effect.fail(died()))
      }
      const onMessage = (message: unknown) => {
        if (!isAnswer(message) || message.jobId !== jobId || message.status === "progress") return
        forget()
        resume(
          message.status === "resolve"
            ? Effect.succeed(message.data)
            : Effect.fail(
                new OcrFailure({ message: `Recognition failed (${action}): ${String(message.data)}` })
              )
        )
      }
      worker.ref()
      worker.on("message", onMessage).on("exit", onEnd)
      worker.postMessage({ workerId: "tesseract", jobId, action, payload }, [])
      return Effect.sync(() => {
        forget()
        end()
      })
    })
  return { isAlive: () => alive, ask, end }
}

/** Starts a thread; it ends with the scope. */
export const startThread: Effect.Effect<TesseractThread, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(start),
  (thread) => Effect.sync(thread.end)
)
