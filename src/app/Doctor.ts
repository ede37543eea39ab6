import { Effect, Exit, Layer, Option } from "effect"
import { workingModes } from "../sandbox/Sandbox.ts"
import { databaseUrl, ocrSettings } from "../config/Config.ts"
import { differences, livePeers } from "./Peers.ts"
import { describeStartProblem } from "./StartProblem.ts"
import * as Server from "../sql/Server.ts"
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

/** The processes over the database of the settings, each with what it has not in common with the first. */
const processes = Effect.gen(function* () {
  const url = yield* Effect.orElseSucceed(databaseUrl, () => Option.none())
  if (Option.isNone(url)) return []
  const found = yield* Effect.exit(Effect.provide(livePeers, Layer.fresh(Server.layer(url.value, 3))))
  if (Exit.isFailure(found)) return [{ name: "Processes", found: describeStartProblem(found.cause) }]
  const [first] = found.value
  if (first === undefined) return [{ name: "Processes", found: "none over the database of DATABASE_URL" }]
  return found.value.map(({ address, facts, runner, seconds }) => ({
    name: `Process ${address}`,
    found: [
      `${runner === null ? "runs no executions of others" : `reached at ${runner}`}, seen ${Math.round(seconds)} s ago`,
      ...differences(first.facts, facts).map((difference) => `${difference} (compared with ${first.address})`)
    ].join("; ")
  }))
})

/** Finds what is installed on this machine: OCR engines, models, languages, programs, the sandbox; and the processes over its database. */
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
    { name: "Program tesseract", found: yield* program },
    ...(yield* processes)
  ]
})
