import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"
import { Effect, Option, Pool } from "effect"
import { type Ocr, type OcrImage, OcrFailure, OcrUnavailable } from "./Ocr.ts"
import { toPgm } from "./Pgm.ts"
import { segmentation } from "./TesseractSegmentation.ts"
import { startThread, type TesseractThread } from "./TesseractThread.ts"
import { parseTsv } from "./TesseractTsv.ts"

const require = createRequire(import.meta.url)

/** The data of a language is an npm package; the folder with the small, newer network. */
const dataFolder = (language: string): string | undefined => {
  const find = Option.liftThrowable((name: string) => dirname(require.resolve(name)))
  const found = Option.getOrUndefined(find(`@tesseract.js-data/${language}/package.json`))
  const folder = found === undefined ? undefined : join(found, "4.0.0_best_int")
  return folder !== undefined && existsSync(join(folder, `${language}.traineddata.gz`)) ? folder : undefined
}

const lacks = (language: string) =>
  new OcrUnavailable({
    message: `tesseract.js has no data for the language ${language} (DOCFLOW_OCR_LANGUAGES): npm install @tesseract.js-data/${language}.`
  })

/** Fails with the first language that there is no data for. */
export const checkLanguages = (languages: ReadonlyArray<string>): Effect.Effect<void, OcrUnavailable> => {
  const missing = languages.find((language) => dataFolder(language) === undefined)
  return missing === undefined ? Effect.void : Effect.fail(lacks(missing))
}

const load = Effect.fnUntraced(function* (thread: TesseractThread, languages: ReadonlyArray<string>) {
  yield* thread.ask("load", { options: { lstmOnly: true, logging: false } })
  for (const language of languages) {
    const langPath = dataFolder(language)
    if (langPath === undefined) return yield* lacks(language)
    const options = { langPath, cacheMethod: "none", gzip: true, lstmOnly: true }
    yield* thread.ask("loadLanguage", { langs: [language], options })
  }
  // Only the newer network; pages are searched for blocks of text by themselves (the library would take one block).
  yield* thread.ask("initialize", { langs: languages.join("+"), oem: 1, config: {} })
  yield* thread.ask("setParameters", { params: { tessedit_pageseg_mode: segmentation({}) } })
  return thread
})

const hasTsv = (data: unknown): data is { readonly tsv: string } =>
  typeof data === "object" && data !== null && "tsv" in data && typeof data.tsv === "string"

const recognizeIn = Effect.fnUntraced(function* (thread: TesseractThread, image: OcrImage) {
  const data = yield* thread.ask("recognize", {
    image: toPgm(image),
    options: {
      user_defined_dpi: String(Math.round(image.dpi)),
      tessedit_pageseg_mode: segmentation(image)
    },
    output: { text: false, tsv: true }
  })
  if (hasTsv(data)) return { words: parseTsv(data.tsv) }
  return yield* new OcrFailure({ message: "Recognition of a page gave nothing." })
})

/**
 * Recognition by tesseract.js, in threads of this process: one a core, started when the first page comes (0.3 s) and
 * kept for ten minutes. A thread that fails or is interrupted is replaced.
 */
export const make = Effect.fnUntraced(function* (languages: ReadonlyArray<string>) {
  const atOnce = availableParallelism()
  const pool = yield* Pool.makeWithTTL({
    acquire: Effect.flatMap(startThread, (thread) => load(thread, languages)),
    min: 0,
    max: atOnce,
    timeToLive: "10 minutes"
  })
  const recognize: Ocr["Service"]["recognize"] = Effect.fn("TesseractJs.recognize")((image) =>
    Pool.use(pool, (thread) =>
      Effect.onExit(recognizeIn(thread, image), (exit) =>
        exit._tag === "Success" && thread.isAlive() ? Effect.void : Pool.invalidate(pool, thread)
      )
    )
  )
  return { enabled: true, atOnce, recognize }
})
