import { Effect } from "effect"
import { workingModes } from "../sandbox/Sandbox.ts"
import { ocrSettings } from "../config/Config.ts"
import { installedData, languagePackage } from "../providers/ocr/LanguageData.ts"
import { modelFiles, notInstalled, readModel } from "../providers/ocr/paddle/ModelFiles.ts"
import * as TesseractProgram from "../providers/ocr/TesseractProgram.ts"

/** What is installed of one kind, and what to do if it is missing. */
export interface Finding {
  readonly name: string
  readonly found: string
}

const paddle = Effect.suspend(() => {
  const install = notInstalled()
  if (install !== undefined)
    return Effect.succeed(`not installed, so only Tesseract recognizes images: ${install}`)
  return Effect.tryPromise({
    try: async () => {
      for (const file of Object.values(modelFiles)) readModel(file)
      await import("onnxruntime-node")
      return "installed (PP-OCRv4, checksums match)"
    },
    catch: (error) => (error instanceof Error ? error.message : String(error))
  }).pipe(
    Effect.catch((message) =>
      Effect.succeed(`does not start, so only Tesseract recognizes images: ${message}`)
    )
  )
})

const program = Effect.gen(function* () {
  if (!(yield* TesseractProgram.isInstalled)) return "not installed; it is optional"
  const languages = yield* TesseractProgram.installedLanguages
  return `installed (${[...languages].filter((name) => name !== "").join(", ")})`
}).pipe(Effect.orElseSucceed(() => "installed, but does not start"))

const languages = Effect.sync(() => {
  const { installed, missing } = installedData()
  const more =
    missing.length === 0
      ? ""
      : `; not installed: ${missing.join(", ")} (npm install ${languagePackage("<name>")})`
  return `${installed.join(", ")}${more}`
})

/** Finds what is installed on this machine: OCR engines, models, languages, programs, the sandbox. */
export const findings: Effect.Effect<ReadonlyArray<Finding>> = Effect.gen(function* () {
  const ocr = yield* Effect.option(ocrSettings)
  const [mode] = yield* workingModes
  return [
    { name: "Node.js", found: process.version },
    { name: "Sandbox", found: mode?.[0] ?? "none works" },
    {
      name: "DOCFLOW_OCR",
      found:
        ocr._tag === "None" ? "invalid" : `${ocr.value.engine}, languages: ${ocr.value.languages.join(", ")}`
    },
    { name: "OCR engine paddle", found: yield* paddle },
    { name: "OCR engine tesseract.js", found: "installed" },
    { name: "Languages of tesseract.js", found: yield* languages },
    { name: "Program tesseract", found: yield* program }
  ]
})
