import { Effect, Layer } from "effect"
import { Ocr, OcrUnavailable } from "./Ocr.ts"
import * as TesseractJs from "./TesseractJs.ts"
import * as TesseractProgram from "./TesseractProgram.ts"

/** Which engine recognises pictures, and in which languages (Tesseract's names: `eng`, `deu`). */
export interface OcrEngineOptions {
  readonly engine: "auto" | "tesseract-js" | "tesseract" | "off"
  readonly languages: ReadonlyArray<string>
}

/** The program is faster; it must have the languages, which tesseract.js may have instead. */
const programFits = Effect.fnUntraced(function* (languages: ReadonlyArray<string>) {
  if (!(yield* TesseractProgram.isInstalled)) return false
  const installed = yield* TesseractProgram.installedLanguages
  return languages.every((language) => installed.has(language))
})

const makeAuto = Effect.fnUntraced(function* (languages: ReadonlyArray<string>) {
  const program = yield* TesseractProgram.make(languages)
  const embedded = yield* TesseractJs.make(languages)
  // Looked for when the first scanned page comes: starting need not wait for it.
  const chosen = yield* Effect.cached(
    programFits(languages).pipe(
      Effect.orElseSucceed(() => false),
      Effect.map((fits) => (fits ? program : embedded))
    )
  )
  const recognize: Ocr["Service"]["recognize"] = (image) =>
    Effect.flatMap(chosen, (engine) => engine.recognize(image))
  return { enabled: true, atOnce: Math.min(program.atOnce, embedded.atOnce), recognize }
})

/** Fails where no engine that may be used has data for every language: the service says so at start, not at the first page. */
export const checkLanguages = ({
  engine,
  languages
}: OcrEngineOptions): Effect.Effect<void, OcrUnavailable> => {
  switch (engine) {
    case "off":
      return Effect.void
    case "tesseract":
      return TesseractProgram.checkLanguages(languages)
    case "tesseract-js":
      return TesseractJs.checkLanguages(languages)
    case "auto":
      return Effect.catch(TesseractJs.checkLanguages(languages), (failure) =>
        Effect.filterOrFail(
          Effect.orElseSucceed(programFits(languages), () => false),
          (fits) => fits,
          () =>
            new OcrUnavailable({
              message: `${failure.message} Or install the program tesseract with data for ${languages.join(", ")}.`
            })
        ).pipe(Effect.asVoid)
      )
  }
}

/** Recognition as configured. Nothing starts before the first picture. */
export const layer = ({ engine, languages }: OcrEngineOptions): Layer.Layer<Ocr> => {
  switch (engine) {
    case "off":
      return Ocr.layerOff
    case "tesseract":
      return Layer.effect(Ocr, TesseractProgram.make(languages))
    case "tesseract-js":
      return Layer.effect(Ocr, TesseractJs.make(languages))
    case "auto":
      return Layer.effect(Ocr, makeAuto(languages))
  }
}
