import { availableParallelism } from "node:os"
import { Effect, Pool, type Scope } from "effect"
import { Sandbox, endedFromOutside } from "../../../sandbox/Sandbox.ts"
import { OcrFailure, type OcrImage, OcrUnavailable, type OcrWord } from "../Ocr.ts"
import type { GrayImage } from "./GrayImage.ts"
import type { TextBox } from "./TextBox.ts"
import type { ChildProcess } from "node:child_process"
import { extname } from "node:path"
import {
  isPaddleResponse,
  type PaddleAnswerTo,
  paddleAnswerTo,
  type PaddleRequest,
  type PaddleResponse,
  type PaddleResponseTo
} from "./PaddleProtocol.ts"

/** A child process with the networks; it answers one question at a time. */
interface PaddleProcess {
  readonly isAlive: () => boolean
  /** Sends a request and waits for the answer. Interruption kills the child, because an inference cannot be stopped. */
  readonly ask: <Ask extends keyof PaddleAnswerTo>(
    request: Extract<PaddleRequest, { readonly ask: Ask }>
  ) => Effect.Effect<PaddleResponseTo<PaddleAnswerTo[Ask]>, OcrFailure | OcrUnavailable>
}

/** The child's program: TypeScript in a checkout, JavaScript once built. */
const module = new URL(`./PaddleChild${extname(new URL(import.meta.url).pathname)}`, import.meta.url)
const flags = ["--max-semi-space-size=4", "--expose-gc"]

/** The networks and the largest page take 400 MiB. */
const memoryMiB = 768

const died = () => new OcrFailure({ message: "Recognition of a page crashed, or needs too much memory." })
const lost = () =>
  new OcrUnavailable({ message: "The process that recognizes pages was ended by the system." })

/** The next message of the child; fails if the child exits first. */
const nextMessage = (child: ChildProcess, request?: PaddleRequest) =>
  Effect.callback<PaddleResponse, OcrFailure | OcrUnavailable>((resume) => {
    const forget = () => child.off("message", onMessage).off("exit", onExit).off("error", onError)
    const settle = (result: Effect.Effect<PaddleResponse, OcrFailure | OcrUnavailable>) => {
      forget()
      resume(result)
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      settle(Effect.fail(endedFromOutside(code, signal) ? lost() : died()))
    const onError = () => settle(Effect.fail(lost()))
    const onMessage = (message: unknown) => {
      if (isPaddleResponse(message)) settle(Effect.succeed(message))
    }
    child.on("message", onMessage).on("exit", onExit).on("error", onError)
    if (request !== undefined) {
      child.send(request, (error) => {
        if (error !== null) onError()
      })
    }
    return Effect.sync(() => {
      forget()
      child.kill("SIGKILL")
    })
  })

const isAnswerTo = <Ask extends keyof PaddleAnswerTo>(
  ask: Ask,
  response: PaddleResponse
): response is PaddleResponseTo<PaddleAnswerTo[Ask]> => response.answer === paddleAnswerTo[ask]

/**
 * Starts a child (0.3 s); it ends with the scope. OcrUnavailable if it does not start on this machine: a package is
 * missing or modified, or its binary does not load.
 */
const startPaddleProcess = (
  sandbox: Sandbox["Service"]
): Effect.Effect<PaddleProcess, OcrUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => sandbox.spawn({ module, memoryMiB, flags })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    let alive = true
    const end = () => {
      alive = false
    }
    child.on("exit", end).on("error", end).on("disconnect", end)
    const first = yield* nextMessage(child).pipe(
      Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.fail(died()) }),
      Effect.catch(({ message }) => Effect.succeed({ answer: "failed" as const, message }))
    )
    if (first.answer === "failed") {
      return yield* new OcrUnavailable({ message: `The engine paddle does not start: ${first.message}` })
    }
    const ask: PaddleProcess["ask"] = Effect.fnUntraced(function* (request) {
      if (!alive) return yield* lost()
      const response = yield* nextMessage(child, request)
      if (isAnswerTo(request.ask, response)) return response
      const said = response.answer === "failed" ? response.message : "it answered something else"
      return yield* new OcrFailure({ message: `Recognition of a page failed: ${said}` })
    })
    return { isAlive: () => alive, ask }
  })

/**
 * The common scale of confidence is the share of words that are right. Tesseract's own is near it; PP-OCRv4 gives 0.98
 * to words of which 0.94 are right, and 0.9 to words of which 0.68 are. Measured on receipts, real and synthetic.
 */
const shareRight: ReadonlyArray<readonly [said: number, right: number]> = [
  [0, 0],
  [0.5, 0.3],
  [0.7, 0.5],
  [0.85, 0.65],
  [0.92, 0.8],
  [0.96, 0.9],
  [0.99, 0.96],
  [1, 0.97]
]

/** The same for words with digits, by the weakest of them. */
const shareOfFigures: typeof shareRight = [
  [0, 0.3],
  [0.5, 0.5],
  [0.7, 0.72],
  [0.85, 0.82],
  [0.93, 0.93],
  [0.97, 0.95],
  [1, 0.99]
]

const along = (curve: typeof shareRight, said: number): number => {
  let [from, low] = [0, 0]
  for (const [to, high] of curve) {
    if (said <= to) return to === from ? high : low + ((high - low) * (said - from)) / (to - from)
    ;[from, low] = [to, high]
  }
  return low
}

/** Converts PP-OCRv4's confidence in a word (0–1) to the common scale. */
export const confidenceOfPaddle = (said: number, text = ""): number =>
  along(/\d/u.test(text) ? shareOfFigures : shareRight, said)

/** The lines of one picture. Lines are identified by their index in `boxes`. */
export interface LinesOfPicture {
  readonly boxes: ReadonlyArray<TextBox>
  /** Each line straightened, in its own picture; see `fromStrip`. */
  readonly cut: (
    lines: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<GrayImage>, OcrFailure | OcrUnavailable>
  /** The words of each line, their boxes in pixels of the picture, their confidence on the common scale. */
  readonly read: (
    lines: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<OcrWord>>, OcrFailure | OcrUnavailable>
}

/** Processes that find and read lines: one a core, started when the first page comes and kept for ten minutes. */
export interface PaddleLines {
  readonly atOnce: number
  /** Starts a process, unless one is running; fails if the engine does not work on this machine. */
  readonly ready: Effect.Effect<void, OcrUnavailable>
  /** Runs a job on the lines of a picture. */
  readonly withLines: <A, E>(
    image: OcrImage,
    job: (lines: LinesOfPicture) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | OcrFailure | OcrUnavailable>
}

const scaled = (words: ReadonlyArray<OcrWord>): ReadonlyArray<OcrWord> =>
  words.map((word) => ({ ...word, confidence: confidenceOfPaddle(word.confidence, word.text) }))

/** The pool of processes; nothing starts before the first picture. */
export const makePaddleLines = Effect.gen(function* () {
  const atOnce = availableParallelism()
  const sandbox = yield* Sandbox
  const pool = yield* Pool.makeWithTTL({
    acquire: startPaddleProcess(sandbox),
    min: 0,
    max: atOnce,
    timeToLive: "10 minutes"
  })
  const withLines: PaddleLines["withLines"] = ({ height, pixels, width }, job) =>
    Pool.use(pool, (child) =>
      Effect.gen(function* () {
        const { boxes } = yield* child.ask<"find">({ ask: "find", image: { width, height, pixels } })
        return yield* job({
          boxes,
          cut: (lines) => Effect.map(child.ask<"cut">({ ask: "cut", lines }), ({ strips }) => strips),
          read: (lines) =>
            Effect.map(child.ask<"read">({ ask: "read", lines }), ({ lines: read }) => read.map(scaled))
        })
      }).pipe(
        Effect.onExit((exit) =>
          exit._tag === "Success" && child.isAlive() ? Effect.void : Pool.invalidate(pool, child)
        )
      )
    )
  const lines: PaddleLines = { atOnce, ready: Effect.scoped(Effect.asVoid(Pool.get(pool))), withLines }
  return lines
})
