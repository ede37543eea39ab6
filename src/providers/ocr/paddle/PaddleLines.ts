import { availableParallelism } from "node:os"
import { Effect, Pool } from "effect"
import { Sandbox } from "../../../sandbox/Sandbox.ts"
import type { OcrFailure, OcrImage, OcrUnavailable, OcrWord } from "../Ocr.ts"
import { confidenceOfPaddle } from "../Confidence.ts"
import type { GrayImage } from "./GrayImage.ts"
import { startPaddleProcess } from "./PaddleProcess.ts"
import type { TextBox } from "./TextBox.ts"

/** The lines of one picture. Lines are identified by their index in `boxes`. */
export interface LinesOfPicture {
  readonly boxes: ReadonlyArray<TextBox>
  /** Each line straightened, in its own picture; see `fromStrip`. */
  readonly cut: (lines: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<GrayImage>, OcrFailure>
  /** The words of each line, their boxes in pixels of the picture, their confidence on the common scale. */
  readonly read: (
    lines: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<OcrWord>>, OcrFailure>
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
