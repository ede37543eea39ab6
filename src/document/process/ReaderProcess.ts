import type { ChildProcess } from "node:child_process"
import { extname } from "node:path"
import { Effect, type Scope } from "effect"
import { type ReadFailure, ReaderUnavailable, UnreadableDocument } from "../../domain/Document.ts"
import {
  answerTo,
  type AnswerTo,
  type Forget,
  isResponse,
  type Request,
  type Response,
  type ResponseTo
} from "./Protocol.ts"
import { endedFromOutside, type Sandbox } from "../../sandbox/Sandbox.ts"
import { readFileSync } from "node:fs"

/** Clock ticks a second of `/proc/<pid>/stat` (`getconf CLK_TCK`), on every system on which Node.js runs. */
const ticksPerSecond = 100

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** The program inside a sandbox: the last descendant of the wrapping process, or the process itself. */
export const programOf = (pid: number): number => {
  const [child] = (read(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ")
  return child === undefined || child === "" ? pid : programOf(Number(child))
}

/** Milliseconds of CPU that a process has used, all threads together; undefined if the system does not say (proc(5)). */
const cpuTimeOf = (pid: number): number | undefined => {
  const stat = read(`/proc/${pid}/stat`)
  // The name of the program may contain spaces and brackets, so fields are counted from its end.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (fields === undefined) return undefined
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
}

/** A child process that reads documents. It answers one question at a time. */
export interface ReaderProcess {
  readonly process: ChildProcess
  readonly isAlive: () => boolean
  /** Whether it has started its program. */
  readonly isReady: () => boolean
  readonly kill: () => void
  /** Whether it holds so much memory that it should be replaced. */
  readonly isTired: () => boolean
  /** Milliseconds of CPU that it has used; undefined if the system does not say. */
  readonly cpuTime: () => number | undefined
  /** Tells an idle child to close its document, without waiting. */
  readonly forget: () => void
}

/** The child's program: TypeScript in a checkout, JavaScript once built. */
const module = new URL(`./Child${extname(new URL(import.meta.url).pathname)}`, import.meta.url)
// Pages leave much garbage; with frequent collections, a thousand take no more memory than ten.
// Threads that help to collect so little cost more than they save.
const flags = ["--max-semi-space-size=4", "--no-parallel-scavenge"]

const start = (sandbox: Sandbox["Service"], memoryMiB: number): ReaderProcess => {
  const child = sandbox.spawn({ module, memoryMiB, flags })
  let alive = true
  let ready = false
  let tired = false
  let program: number | undefined
  const died = () => {
    alive = false
  }
  child.on("message", (message) => {
    ready = true
    tired = isResponse(message) && message.tired === true
  })
  child.on("exit", died).on("error", died).on("disconnect", died)
  return {
    process: child,
    isAlive: () => alive,
    isReady: () => ready,
    isTired: () => tired,
    cpuTime: () => {
      if (child.pid === undefined || !alive) return undefined
      program ??= programOf(child.pid)
      return cpuTimeOf(program)
    },
    kill: () => {
      died()
      child.kill("SIGKILL")
    },
    forget: () => {
      const request: Forget = { ask: "forget" }
      if (alive) child.send(request, () => {})
    }
  }
}

/** Waits until a child has started, died, or taken too long: starting is not charged to any document's time. */
const started = (reader: ReaderProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const done = () => resume(Effect.void)
    reader.process.once("message", done).once("exit", done).once("error", done)
  }).pipe(Effect.timeoutOption("20 seconds"), Effect.asVoid)

/** Starts a child (about 0.1 s); it ends with the scope. `memoryMiB` is all it may use. */
export const startReaderProcess = (
  sandbox: Sandbox["Service"],
  memoryMiB: number
): Effect.Effect<ReaderProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => start(sandbox, memoryMiB)),
    (reader) => Effect.sync(reader.kill)
  ).pipe(Effect.tap(started))

const crashed = (): UnreadableDocument =>
  new UnreadableDocument({
    message: "The document cannot be read: it crashed its reader, or needs too much memory."
  })

/** The reader ended, or could not work, for a reason that is not in the document: another one may succeed. */
const lost = (reason: string): ReaderUnavailable =>
  new ReaderUnavailable({ message: `The document was not read: ${reason}.` })

/** Sends a question and waits for the answer. Interruption kills the child, which may be busy for long. */
const exchange = (reader: ReaderProcess, request: Request) =>
  Effect.callback<Response, ReadFailure>((resume) => {
    const child = reader.process
    const stopListening = () => child.off("message", onMessage).off("exit", onExit).off("error", onError)
    const fail = (failure: ReadFailure) => {
      stopListening()
      // Its pipe may break before its exit is reported: it must not get another document.
      reader.kill()
      resume(Effect.fail(failure))
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      fail(
        endedFromOutside(code, signal) || !reader.isReady()
          ? lost("its reader was ended by the system, as happens where memory is short")
          : crashed()
      )
    const onError = () => fail(lost("its reader could not be started"))
    const onMessage = (message: unknown) => {
      if (!isResponse(message)) return
      if (message.answer === "crashed") return fail(crashed())
      if (message.answer === "hindered") return fail(lost(`the system refused its reader (${message.code})`))
      stopListening()
      resume(Effect.succeed(message))
    }
    if (!reader.isAlive()) return resume(Effect.fail(lost("its reader has ended")))
    child.on("message", onMessage).on("exit", onExit).on("error", onError)
    child.send(request, (error) => {
      if (error !== null) fail(lost("its reader has ended"))
    })
    return Effect.sync(() => {
      stopListening()
      reader.kill()
    })
  })

const isAnswerTo = <Ask extends keyof AnswerTo>(
  ask: Ask,
  response: Response
): response is ResponseTo<AnswerTo[Ask]> => response.answer === answerTo[ask]

/**
 * The maximum wall time of a child, as a multiple of its CPU limit, for machines where it does not get the CPU: with its low
 * priority, it has a tenth of a core where other programs want all of it.
 */
const patience = 12
/** Most questions are answered within this time, in milliseconds: asking the system what a child uses would cost more. */
const soon = 100
/** A remainder of a limit that is too small to check again, in milliseconds. */
const negligible = 50

const tookTooLong = new UnreadableDocument({
  message: "The document cannot be read: its reader took too long."
})

/**
 * Fails when a child has used `limit` milliseconds of CPU, the document's own limit: on a busy machine, wall time says
 * little about a document. After `patience` times that wall time, the child was not given the CPU. If the system does not
 * say what a child uses, `limit` is wall time.
 */
const worked = Effect.fnUntraced(function* (reader: ReaderProcess, limit: number) {
  let waited = Math.min(soon, limit)
  yield* Effect.sleep(waited)
  const before = reader.cpuTime()
  let left = limit - waited
  while (left > negligible) {
    yield* Effect.sleep(left)
    waited += left
    const now = reader.cpuTime()
    if (before === undefined || now === undefined) return yield* tookTooLong
    left = limit - (now - before)
    if (left > negligible && waited >= patience * limit)
      return yield* lost("its reader was not given the CPU")
    left = Math.min(left, patience * limit - waited)
  }
  return yield* tookTooLong
})

/**
 * Asks a child and waits until it has used `limit` milliseconds of CPU; then it is killed. Fails with
 * UnreadableDocument if the document cannot be read, or crashed the child, and with ReaderUnavailable if the child was
 * ended or hindered by anything else.
 */
export const ask = Effect.fnUntraced(function* <Ask extends keyof AnswerTo>(
  reader: ReaderProcess,
  request: Extract<Request, { readonly ask: Ask }>,
  limit: number
) {
  const response = yield* Effect.raceFirst(exchange(reader, request), worked(reader, limit))
  const question: Ask = request.ask
  if (isAnswerTo(question, response)) return response
  const message = response.answer === "unreadable" ? response.message : "The document's reader is confused."
  return yield* new UnreadableDocument({ message })
})
