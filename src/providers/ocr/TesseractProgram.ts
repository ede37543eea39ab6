import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { accessSync, constants, realpathSync } from "node:fs"
import { availableParallelism } from "node:os"
import { delimiter, join } from "node:path"
import { Effect, Semaphore } from "effect"
import { runInBackground } from "../../sandbox/BackgroundPriority.ts"
import { endedFromOutside, Sandbox } from "../../sandbox/Sandbox.ts"
import { type Ocr, OcrFailure, type OcrImage, OcrUnavailable } from "./Ocr.ts"
import { toPgm } from "./Pgm.ts"
import { parseTsv, segmentation } from "./TesseractTsv.ts"

/** The variable with the program's data folder, if it is not the built-in one. */
const dataVariable = "TESSDATA_PREFIX"

/** Its whole environment. Several threads per page use more CPU than they save. */
const environment = (): Record<string, string> => {
  const data = process.env[dataVariable]
  return { OMP_THREAD_LIMIT: "1", ...(data === undefined ? {} : { [dataVariable]: data }) }
}

/** The largest page takes a third of it. */
const memoryMiB = 1024

const missing = () =>
  new OcrUnavailable({
    message: "The program tesseract cannot be started: install it, or set DOCFLOW_OCR=tesseract-js."
  })

const lacks = (languages: ReadonlyArray<string>) =>
  new OcrUnavailable({
    message: `The program tesseract has no data for ${languages.join(", ")} (DOCFLOW_OCR_LANGUAGES): install it.`
  })

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The program `tesseract` on PATH. */
const programFile = (): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "tesseract"))
    .find(isExecutable)

/** Whether the program `tesseract` is on PATH. */
export const isInstalled: Effect.Effect<boolean> = Effect.sync(() => programFile() !== undefined)

type Start = (file: string, parameters: ReadonlyArray<string>) => ChildProcessWithoutNullStreams

const start: Start = (file, parameters) => spawn(file, parameters, { env: environment(), stdio: "pipe" })

/** Starts the program in the sandbox, because pages come from strangers. */
const startIn =
  (sandbox: Sandbox["Service"]): Start =>
  (file, parameters) => {
    const variables = environment()
    const data = variables[dataVariable]
    return sandbox.run({
      command: [file, ...parameters],
      memoryMiB,
      readable: [file, realpathSync(file), ...(data === undefined ? [] : [data])],
      environment: variables
    })
  }

/** Runs the program; interruption kills it. Returns its output and exit status. */
const run = (start: Start, parameters: ReadonlyArray<string>, input?: Uint8Array) =>
  Effect.callback<{ readonly code: number; readonly out: string; readonly said: string }, OcrUnavailable>(
    (resume) => {
      const file = programFile()
      if (file === undefined) return resume(Effect.fail(missing()))
      const child = start(file, parameters)
      if (child.pid !== undefined) runInBackground(child.pid)
      const out: Array<Buffer> = []
      const said: Array<Buffer> = []
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
      child.stderr.on("data", (chunk: Buffer) => said.push(chunk))
      child.on("error", () => resume(Effect.fail(missing())))
      child.on("close", (code, signal) =>
        resume(
          endedFromOutside(code, signal)
            ? new OcrUnavailable({ message: "The program tesseract was ended by the system." })
            : Effect.succeed({
                code: code ?? 1,
                out: Buffer.concat(out).toString(),
                said: Buffer.concat(said).toString()
              })
        )
      )
      // It may exit before it has read everything; its exit status says why.
      child.stdin.on("error", () => {})
      child.stdin.end(input)
      return Effect.sync(() => child.kill("SIGKILL"))
    }
  )

const languagesBy = (start: Start): Effect.Effect<ReadonlySet<string>, OcrUnavailable> =>
  Effect.map(
    run(start, ["--list-langs"]),
    ({ out }) =>
      new Set(
        out
          .split("\n")
          .slice(1)
          .map((line) => line.trim())
      )
  )

/** The languages for which the program has data. */
export const installedLanguages: Effect.Effect<ReadonlySet<string>, OcrUnavailable> = languagesBy(start)

/** Fails with the languages for which the program has no data, or if it is not installed. */
export const checkLanguages = (languages: ReadonlyArray<string>): Effect.Effect<void, OcrUnavailable> =>
  Effect.flatMap(installedLanguages, (installed) => {
    const lacking = languages.filter((language) => !installed.has(language))
    return lacking.length === 0 ? Effect.void : Effect.fail(lacks(lacking))
  })

/**
 * Reads pictures with the program `tesseract` in the sandbox: one process per page, one core each, at most one per
 * core. `languages`: those for which it has data there.
 */
export const makeReader = Effect.gen(function* () {
  const startInside = startIn(yield* Sandbox)
  const atOnce = availableParallelism()
  const cores = yield* Semaphore.make(atOnce)
  const read = Effect.fnUntraced(function* (image: OcrImage, languages: ReadonlyArray<string>) {
    const parameters = ["stdin", "stdout", "-l", languages.join("+"), "--psm", segmentation(image)]
    const dpi = ["--dpi", String(Math.round(image.dpi)), "-c", "tessedit_create_tsv=1"]
    const { code, out, said } = yield* cores.withPermits(1)(
      run(startInside, [...parameters, ...dpi], toPgm(image))
    )
    if (code === 0) return parseTsv(out)
    yield* Effect.logDebug("tesseract failed", said)
    return yield* new OcrFailure({ message: "The program tesseract failed on a page." })
  })
  return { atOnce, read, languages: languagesBy(startInside) }
})

/** Recognition by the program `tesseract` alone, see `makeReader`. */
export const make = Effect.fnUntraced(function* (languages: ReadonlyArray<string>) {
  const { atOnce, read } = yield* makeReader
  // If one of several languages is missing, the program only prints a warning and continues without it.
  const ready = yield* Effect.cached(checkLanguages(languages))
  const recognize: Ocr["Service"]["recognize"] = Effect.fn("TesseractProgram.recognize")(function* (image) {
    yield* ready
    return { words: yield* read(image, languages), engine: "tesseract", languages }
  })
  return { enabled: true, atOnce, recognize }
})
