import { availableParallelism } from "node:os"
import { Effect, Pool } from "effect"
import { Sandbox } from "../../../sandbox/Sandbox.ts"
import type { OcrFailure, OcrImage, OcrUnavailable, OcrWord } from "../Ocr.ts"
import type { GrayImage } from "./GrayImage.ts"
import { startPaddleProcess } from "./PaddleProcess.ts"
import type { TextBox } from "./TextBox.ts"

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
