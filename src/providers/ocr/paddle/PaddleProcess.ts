import type { ChildProcess } from "node:child_process"
import { extname } from "node:path"
import { Effect, type Scope } from "effect"
import { endedFromOutside, type Sandbox } from "../../../sandbox/Sandbox.ts"
import { OcrFailure, OcrUnavailable } from "../Ocr.ts"
import {
  isPaddleResponse,
  type PaddleAnswerTo,
  paddleAnswerTo,
  type PaddleRequest,
  type PaddleResponse,
  type PaddleResponseTo
} from "./PaddleProtocol.ts"

/** A child process with the networks; it answers one question at a time. */
export interface PaddleProcess {
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
export const startPaddleProcess = (
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
