import { Effect, Layer } from "effect"
import { Sandbox } from "../../sandbox/Sandbox.ts"
import { makeCombined } from "./CombinedOcr.ts"
import { Ocr, type OcrFailure, type OcrImage, OcrUnavailable, type OcrWord } from "./Ocr.ts"
import { notInstalled } from "./paddle/ModelFiles.ts"
import { makePaddleLines, type PaddleLines } from "./paddle/PaddleLines.ts"
import * as TesseractJs from "./TesseractJs.ts"
import type { TesseractThreads } from "./TesseractJs.ts"
import * as TesseractProgram from "./TesseractProgram.ts"
import { dataFolder, missingLanguage } from "./LanguageData.ts"
import { languageOf } from "./PageLanguage.ts"
import { isForeign, scripts, shareInScript, showsScript } from "./PageScript.ts"

type Read = (
  image: OcrImage,
  languages: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<OcrWord>, OcrFailure | OcrUnavailable>

/** An engine and the languages for which it has data. */
interface Engine {
  readonly name: string
  readonly has: (language: string) => boolean
  readonly read: Read
}

/** The words of a page in another script, in the first language in which they make sense. */
const readInItsScript = Effect.fnUntraced(function* ({ has, read }: Engine, image: OcrImage) {
  for (const script of scripts) {
    const language = script.languages.find(has)
    if (language === undefined) continue
    const words = yield* read(image, [language])
    if (!showsScript(shareInScript(words, script))) continue
    const found = languageOf(
      words.map(({ text }) => text),
      [language, ...script.languages.filter((other) => other !== language && has(other))]
    )
    return { words: found === language ? words : yield* read(image, [found]), languages: [found] }
  }
  return undefined
})

/** Reads a page in English, and again in another language if its words belong to one that the engine has. */
const readInItsLanguage = Effect.fnUntraced(function* ({ has, name, read }: Engine, image: OcrImage) {
  const words = yield* read(image, ["eng"])
  const foreign = isForeign([words]) ? yield* readInItsScript({ has, name, read }, image) : undefined
  if (foreign !== undefined) return { ...foreign, engine: name }
  const language = languageOf(words.map(({ text }) => text))
  if (language === "eng") return { words, engine: name, languages: ["eng"] }
  if (!has(language)) return { words, engine: name, languages: ["eng"], warning: missingLanguage(language) }
  return { words: yield* read(image, [language]), engine: name, languages: [language] }
})

/**
 * Recognition by Tesseract alone: the program if it is installed with the languages, otherwise tesseract.js.
 * `languages` `undefined`: each page in its own.
 */
const makeFast = Effect.fnUntraced(function* (
  threads: TesseractThreads,
  languages: ReadonlyArray<string> | undefined
) {
  const program = yield* TesseractProgram.makeReader
  const embedded: Engine = {
    name: "tesseract-js",
    has: (language) => dataFolder(language) !== undefined,
    read: (image, languages) => Effect.map(threads.read([image], languages), ([words = []]) => words)
  }
  // Detected when the first scanned page arrives, so that the start does not wait for it.
  const chosen = yield* Effect.cached(
    Effect.gen(function* () {
      if (!(yield* TesseractProgram.isInstalled)) return embedded
      const installed = yield* program.languages
      const fits = (languages ?? ["eng"]).every((language) => installed.has(language))
      const found: Engine = {
        name: "tesseract",
        has: (language) => installed.has(language),
        read: program.read
      }
      return fits ? found : embedded
    }).pipe(Effect.orElseSucceed(() => embedded))
  )
  const recognize: Ocr["Service"]["recognize"] = Effect.fn("FastOcr.recognize")(function* (image) {
    const engine = yield* chosen
    if (languages === undefined) return yield* readInItsLanguage(engine, image)
    return { words: yield* engine.read(image, languages), engine: engine.name, languages }
  })
  return { enabled: true, atOnce: Math.min(program.atOnce, threads.atOnce), recognize }
})

/** Which engine recognises pictures, and in which languages. */
export interface OcrEngineOptions {
  /**
   * `auto`: paddle and tesseract.js together where paddle starts, else `fast`. `fast`: Tesseract
   * alone, the program or tesseract.js.
   */
  readonly engine: "auto" | "fast" | "paddle" | "tesseract-js" | "tesseract" | "off"
  /** Tesseract's names, such as `eng` and `deu`; `["auto"]`: each page in its own language. */
  readonly languages: ReadonlyArray<string>
}

const startPaddle = Effect.map(makePaddleLines, (paddle): PaddleLines => {
  const ready = Effect.suspend(() => {
    const install = notInstalled()
    if (install === undefined) return paddle.ready
    return Effect.fail(new OcrUnavailable({ message: `The engine paddle is not installed: ${install}.` }))
  })
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

/** Both engines if paddle starts; otherwise Tesseract alone, with a log line that says why. */
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
      Effect.andThen(Effect.logInfo("Images are recognized by paddle and tesseract.js.")),
      Effect.as(combined),
      Effect.catch(({ message }) =>
        Effect.as(Effect.logWarning(`Images are recognized by Tesseract alone. ${message}`), fast)
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
