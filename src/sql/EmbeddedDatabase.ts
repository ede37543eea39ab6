import { Effect, Schema, type Scope } from "effect"
import { extname } from "node:path"
import { Duplex } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { Worker } from "node:worker_threads"
import { threadEnvironment } from "../support/ThreadEnvironment.ts"
import { type FromDatabase, isFromDatabase, type ToDatabase } from "./DatabaseMessages.ts"

/** The embedded database could not be opened, for a reason in PGlite's words. */
export class NotOpened extends Schema.TaggedError<NotOpened>()("NotOpened", { reason: Schema.String }) {}

/** PGlite in a thread of its own: what it calculates does not keep the event loop busy. */
export interface EmbeddedDatabase {
  /** A connection with PostgreSQL's wire protocol. Its answers come in the order of what is written. */
  readonly connect: () => Duplex
  /** From now on connections fail that are not answered in time. */
  readonly watch: () => void
}

/** The thread's program: TypeScript in a checkout, JavaScript once built. */
const program = new URL(`./DatabaseThread${extname(new URL(import.meta.url).pathname)}`, import.meta.url)

/**
 * V8 gives a function that PostgreSQL calls often a faster way to JavaScript, and frees the one before. Now and then that ends the
 * whole process with SIGTRAP (one of a hundred starts on a busy machine). A statement calls each function about ten times, so the
 * slower way costs nothing measurable, and this number of calls is not reached within months.
 */
const keepSlowCalls = "--wasm-wrapper-tiering-budget=1000000000"

/**
 * How much a function of PostgreSQL runs before V8 optimizes it: ten times V8's default. A start saves a second of CPU, most of it
 * spent on functions that are hardly called again; after some 20,000 statements the same functions are optimized.
 */
const compileThoroughlyLater = "--wasm-tiering-budget=130000000"

type Receive = (message: FromDatabase) => void

const stopped = { tell: "failure", reason: "The embedded database has stopped" } as const

/** Talks with a thread whose answers come in the order of the questions. */
const talkWith = (worker: Worker) => {
  const waiting: Array<Receive> = []
  let alive = true
  const settle = (message: FromDatabase) => {
    const receive = waiting.shift()
    // A thread with nothing to do does not keep the process running.
    if (waiting.length === 0) worker.unref()
    receive?.(message)
  }
  const expect = (receive: Receive) => {
    if (waiting.push(receive) === 1) worker.ref()
  }
  worker.on("message", (message: unknown) => {
    if (isFromDatabase(message)) settle(message)
  })
  // The reason is in the failure of all that wait.
  worker.on("error", () => undefined)
  worker.on("exit", () => {
    alive = false
    while (waiting.length > 0) settle(stopped)
  })
  return {
    isAlive: () => alive,
    expect,
    ask: (bytes: Uint8Array, receive: Receive) => {
      if (!alive) return receive(stopped)
      expect(receive)
      // A buffer of its own, so that it moves to the thread and is not copied with the pool that it is a part of.
      const own = new Uint8Array(bytes)
      const message: ToDatabase = { ask: "answer", bytes: own }
      worker.postMessage(message, [own.buffer])
    },
    reset: () => {
      const message: ToDatabase = { ask: "reset" }
      worker.postMessage(message, [])
    },
    close: Effect.callback<void>((resume) => {
      if (!alive) return resume(Effect.void)
      worker.ref()
      worker.on("exit", () => resume(Effect.void))
      const message: ToDatabase = { ask: "close" }
      worker.postMessage(message, [])
    })
  }
}

/** A database that answers nothing for so long is taken for hung, in milliseconds. */
const silenceMs = 10_000

/**
 * A connection over a thread: each written chunk is a message to it. It ends when all of them are answered, and fails when
 * the thread does not answer.
 */
const connectOver = (
  ask: (bytes: Uint8Array, receive: Receive) => void,
  isWatched: () => boolean,
  patience: number
): Duplex => {
  let unanswered = 0
  let end: (() => void) | undefined
  const watch = setTimeout(() => {
    if (unanswered > 0 && !isWatched()) watch.refresh()
    else if (unanswered > 0)
      duplex.destroy(Object.assign(new Error("The embedded database does not answer"), { code: "ETIMEDOUT" }))
  }, patience).unref()
  const duplex: Duplex = new Duplex({
    read: () => undefined,
    write: (chunk: Uint8Array, _encoding, done) => {
      if (unanswered === 0) watch.refresh()
      unanswered += 1
      ask(chunk, (message) => {
        unanswered -= 1
        if (duplex.destroyed) return
        watch.refresh()
        if (message.tell === "answer") duplex.push(message.bytes)
        else if (message.tell === "failure") duplex.destroy(new Error(message.reason))
        if (unanswered === 0) end?.()
      })
      // The next chunk need not wait for the answer to this one.
      done()
    },
    final: (done) => {
      end = () => {
        duplex.push(null)
        done()
      }
      if (unanswered === 0) end()
    },
    destroy: (error, done) => {
      clearTimeout(watch)
      done(error)
    }
  })
  return duplex
}

type Thread = ReturnType<typeof talkWith>

const opened = ({ expect }: Thread) =>
  Effect.callback<void, NotOpened>((resume) => {
    expect((message) =>
      resume(
        message.tell === "opened"
          ? Effect.void
          : Effect.fail(new NotOpened({ reason: message.tell === "failure" ? message.reason : "no answer" }))
      )
    )
  })

/**
 * Opens the database that `launch` starts a thread for, and closes it with the scope. If the thread ends by itself, because it needs
 * too much memory for example, the next connection starts another one, unless the database was in memory.
 */
export const openThreads = (
  launch: () => Worker,
  isStored: boolean,
  patience = silenceMs
): Effect.Effect<EmbeddedDatabase, NotOpened, Scope.Scope> =>
  Effect.suspend(() => {
    let thread = talkWith(launch())
    let isClosed = false
    let isWatched = false
    const watch = () => {
      isWatched = true
    }
    const close = Effect.suspend(() => {
      isClosed = true
      return thread.close
    })
    const connect = (): Duplex => {
      if (!thread.isAlive() && isStored && !isClosed) {
        thread = talkWith(launch())
        // What is asked meanwhile waits until it is open; if it cannot be opened, that fails.
        thread.expect(() => undefined)
      } else if (thread.isAlive()) thread.reset()
      return connectOver(thread.ask, () => isWatched, patience)
    }
    return Effect.acquireRelease(Effect.as(opened(thread), { connect, watch }), () => close)
  })

/**
 * Opens the database in `folder`, or one in memory, and closes it with the scope. Two of them must not open the same folder at the
 * same time.
 */
export const openEmbedded = (folder: string | undefined) =>
  Effect.suspend(() => {
    setFlagsFromString(keepSlowCalls)
    setFlagsFromString(compileThoroughlyLater)
    // The thread sees no settings and secrets.
    return openThreads(
      () => new Worker(program, { workerData: folder, env: threadEnvironment(), execArgv: [] }),
      folder !== undefined
    )
  })
