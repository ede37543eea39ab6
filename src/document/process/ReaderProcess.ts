import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { type Duration, Effect, type Scope } from "effect"
import { UnreadableDocument } from "../../domain/Document.ts"
import {
  type AnswerTo,
  type Forget,
  isResponse,
  type Request,
  type Response,
  type ResponseTo
} from "./Protocol.ts"

/** A child process that reads documents. It answers one question at a time. */
export interface ReaderProcess {
  readonly process: ChildProcess
  readonly isAlive: () => boolean
  readonly kill: () => void
  /** Has an idle child close its document; nobody waits for it. */
  readonly forget: () => void
}

/** The child's program: TypeScript in a checkout, JavaScript once built. */
const program = fileURLToPath(
  new URL(`./Child${extname(new URL(import.meta.url).pathname)}`, import.meta.url)
)
const prlimit = ["/usr/bin/prlimit", "/bin/prlimit"].find((path) => existsSync(path))

/** What V8 sets aside for machine code before it uses any of it; the limit on data counts it. */
const reservedMiB = 640
const wasmPagesPerMiB = 16

const command = (memoryMiB: number): readonly [string, ReadonlyArray<string>] => {
  const node = [
    `--max-old-space-size=${memoryMiB}`,
    // Pages leave much behind; cleared away often, a thousand take no more memory than ten.
    "--max-semi-space-size=4",
    `--wasm-max-mem-pages=${memoryMiB * wasmPagesPerMiB}`,
    // What a hostile file might get hold of: reading files, at most. No writing, no processes, no eval.
    "--permission",
    "--allow-fs-read=*",
    // Pictures are decoded by libvips, which is no JavaScript.
    "--allow-addons",
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    program
  ]
  // V8's own limits leave out buffers and what WebAssembly maps beside its memory; the operating system's does not.
  return prlimit === undefined
    ? [process.execPath, node]
    : [prlimit, [`--data=${(memoryMiB + reservedMiB) * 1024 * 1024}`, process.execPath, ...node]]
}

const start = (memoryMiB: number): ReaderProcess => {
  const [file, parameters] = command(memoryMiB)
  const child = spawn(file, parameters, {
    // Settings and keys of the service are none of its business.
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  let alive = true
  const died = () => {
    alive = false
  }
  child.on("exit", died).on("error", died).on("disconnect", died)
  return {
    process: child,
    isAlive: () => alive,
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
export const startReaderProcess = (memoryMiB: number): Effect.Effect<ReaderProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => start(memoryMiB)),
    (reader) => Effect.sync(reader.kill)
  ).pipe(Effect.tap(started))

const crashed = (): UnreadableDocument =>
  new UnreadableDocument({
    message: "The document cannot be read: it crashed its reader, or needs too much memory."
  })

/** Sends a question and waits for the answer. The child is killed where it is interrupted: it may be busy for long. */
const exchange = (reader: ReaderProcess, request: Request) =>
  Effect.callback<Response, UnreadableDocument>((resume) => {
    const child = reader.process
    const settle = (result: Effect.Effect<Response, UnreadableDocument>) => {
      child.off("message", onMessage).off("exit", onEnd).off("error", onEnd)
      resume(result)
    }
    const onEnd = () => {
      // Its pipe may break before its end is told: it must not get another document.
      reader.kill()
      settle(Effect.fail(crashed()))
    }
    const onMessage = (message: unknown) => {
      if (!isResponse(message)) return
      if (message.answer === "crashed") onEnd()
      else settle(Effect.succeed(message))
    }
    if (!reader.isAlive()) return resume(Effect.fail(crashed()))
    child.on("message", onMessage).on("exit", onEnd).on("error", onEnd)
    child.send(request, (error) => {
      if (error !== null) onEnd()
    })
    return Effect.sync(() => {
      child.off("message", onMessage).off("exit", onEnd).off("error", onEnd)
      reader.kill()
    })
  })

const isAnswerTo = <Ask extends keyof AnswerTo>(
  ask: Ask,
  response: Response
): response is ResponseTo<AnswerTo[Ask]> => {
  const expected: AnswerTo = {
    open: "opened",
    page: "page",
    image: "image",
    picture: "picture",
    attachments: "attachments",
    attachment: "attachment",
    rest: "rested"
  }
  return response.answer === expected[ask]
}

/**
 * Asks a child and waits, at most for `limit`; then it is killed. Fails with UnreadableDocument where the document
 * cannot be read, and where the child died of it.
 */
export const ask = Effect.fnUntraced(function* <Ask extends keyof AnswerTo>(
  reader: ReaderProcess,
  request: Extract<Request, { readonly ask: Ask }>,
  limit: Duration.Input
) {
  const response = yield* exchange(reader, request).pipe(
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () =>
        Effect.fail(
          new UnreadableDocument({ message: "The document cannot be read: its reader took too long." })
        )
    })
  )
  const question: Ask = request.ask
  if (isAnswerTo(question, response)) return response
  const message = response.answer === "unreadable" ? response.message : "The document's reader is confused."
  return yield* new UnreadableDocument({ message })
})
