import { Effect } from "effect"
import { dataFolder, missingLanguage } from "./LanguageData.ts"
import type { Ocr, OcrFailure, OcrImage, OcrUnavailable, OcrWord } from "./Ocr.ts"
import { languageOf } from "./PageLanguage.ts"
import { isForeign, scripts, shareInScript, showsScript } from "./PageScript.ts"
import type { TesseractThreads } from "./TesseractJs.ts"
import * as TesseractProgram from "./TesseractProgram.ts"

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
export const makeFast = Effect.fnUntraced(function* (
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
