import { availableParallelism } from "node:os"
import { Effect, Pool } from "effect"
import { dataFolder, languagePackage } from "./LanguageData.ts"
import { type Ocr, type OcrImage, OcrFailure, OcrUnavailable, type OcrWord } from "./Ocr.ts"
import { toPgm } from "./Pgm.ts"
import { startThread, type TesseractThread } from "./TesseractThread.ts"
import { parseTsv, segmentation } from "./TesseractTsv.ts"

/** A thread, with the languages that it has loaded and the one it currently reads. */
interface Engine {
  readonly thread: TesseractThread
  readonly loaded: Set<string>
  current: string
}

const lacks = (language: string) =>
  new OcrUnavailable({
    message: `tesseract.js has no data for the language ${language} (DOCFLOW_OCR_LANGUAGES): npm install ${languagePackage(language)}.`
  })

/** Fails with the first language for which there is no data. */
export const checkLanguages = (languages: ReadonlyArray<string>): Effect.Effect<void, OcrUnavailable> => {
  const missing = languages.find((language) => dataFolder(language) === undefined)
  return missing === undefined ? Effect.void : Effect.fail(lacks(missing))
}

const startEngine = Effect.gen(function* () {
  const thread = yield* startThread
  yield* thread.ask("load", { options: { lstmOnly: true, logging: false } })
  const engine: Engine = { thread, loaded: new Set(), current: "" }
  return engine
})

const speak = Effect.fnUntraced(function* (engine: Engine, languages: ReadonlyArray<string>) {
  const wanted = languages.join("+")
  if (engine.current === wanted) return
  for (const language of languages) {
    if (engine.loaded.has(language)) continue
    const langPath = dataFolder(language)
    if (langPath === undefined) return yield* lacks(language)
    const options = { langPath, cacheMethod: "none", gzip: true, lstmOnly: true }
    yield* engine.thread.ask("loadLanguage", { langs: [language], options })
    engine.loaded.add(language)
  }
  // Only the newer network is supported.
  yield* engine.thread.ask("initialize", { langs: wanted, oem: 1, config: {} })
  engine.current = wanted
})

const hasTsv = (data: unknown): data is { readonly tsv: string } =>
  typeof data === "object" && data !== null && "tsv" in data && typeof data.tsv === "string"

const recognizeIn = Effect.fnUntraced(function* ({ thread }: Engine, image: OcrImage) {
  const data = yield* thread.ask("recognize", {
    image: toPgm(image),
    options: {
      user_defined_dpi: String(Math.round(image.dpi)),
      tessedit_pageseg_mode: segmentation(image)
    },
    output: { text: false, tsv: true }
  })
  if (hasTsv(data)) return parseTsv(data.tsv)
  return yield* new OcrFailure({ message: "Recognition of a page returned no result." })
})

/** Threads that read pictures in any installed language. */
export interface TesseractThreads {
  readonly atOnce: number
  /** Reads pictures one after the other, in one thread. */
  readonly read: (
    images: ReadonlyArray<OcrImage>,
    languages: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<OcrWord>>, OcrFailure | OcrUnavailable>
}

/**
 * Threads of this process with tesseract.js: one a core, started when the first page comes (0.3 s) and kept for ten
 * minutes. A thread that fails or is interrupted is replaced.
 */
export const makeThreads = Effect.gen(function* () {
  const atOnce = availableParallelism()
  const pool = yield* Pool.makeWithTTL({
    acquire: startEngine,
    min: 0,
    max: atOnce,
    timeToLive: "10 minutes"
  })
  const read: TesseractThreads["read"] = (images, languages) =>
    Pool.use(pool, (engine) =>
      Effect.andThen(
        speak(engine, languages),
        Effect.forEach(images, (image) => recognizeIn(engine, image))
      ).pipe(
        Effect.onExit((exit) =>
          exit._tag === "Success" && engine.thread.isAlive() ? Effect.void : Pool.invalidate(pool, engine)
        )
      )
    )
  const threads: TesseractThreads = { atOnce, read }
  return threads
})

/** Recognition by tesseract.js alone, see `makeThreads`. */
export const make = Effect.fnUntraced(function* (languages: ReadonlyArray<string>) {
  const threads = yield* makeThreads
  const recognize: Ocr["Service"]["recognize"] = Effect.fn("TesseractJs.recognize")(function* (image) {
    const [words = []] = yield* threads.read([image], languages)
    return { words, engine: "tesseract-js", languages }
  })
  return { enabled: true, atOnce: threads.atOnce, recognize }
})
