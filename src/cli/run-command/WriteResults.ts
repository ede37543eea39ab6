import { Effect, FileSystem, Path } from "effect"
import { cannotWrite } from "../../domain/FileProblem.ts"
import { fail } from "../CommandFailed.ts"
import { csvText } from "./CsvText.ts"
import { jsonLine, type RunLine } from "./RunLine.ts"

const write = Effect.fnUntraced(
  function* (file: string, content: string | Uint8Array) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* fs.makeDirectory(path.dirname(path.resolve(file)), { recursive: true })
    yield* typeof content === "string" ? fs.writeFileString(file, content) : fs.writeFile(file, content)
  },
  (effect, file) => Effect.catch(effect, (error) => fail(cannotWrite(file, error)))
)

/** File names for the results of documents: their own names, with a number where two would be equal. */
export const resultNames = (files: ReadonlyArray<string>, basename: (file: string) => string) => {
  const taken = new Set<string>()
  return new Map(
    files.map((file) => {
      const base = basename(file)
      let name = base
      for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}-${number}`
      taken.add(name.toLowerCase())
      return [file, name] as const
    })
  )
}

/** Writes the table of `--csv` and the lines of `--jsonl`. */
export const writeTables = Effect.fnUntraced(function* (
  lines: ReadonlyArray<RunLine>,
  files: { readonly csv: string | undefined; readonly jsonl: string | undefined }
) {
  if (files.csv !== undefined) yield* write(files.csv, csvText(lines))
  if (files.jsonl !== undefined)
    yield* write(files.jsonl, lines.map((line) => `${jsonLine(line)}\n`).join(""))
})

/** Writes the result of one document into the folder of `--out`. */
export const writeResult = Effect.fnUntraced(function* (folder: string, name: string, line: RunLine) {
  const path = yield* Path.Path
  const { file, result, review } = line
  yield* write(path.join(folder, `${name}.json`), `${JSON.stringify({ file, ...result, review }, null, 2)}\n`)
})

/** Draws the boxes of one document into the folder of `--overlay`; returns the file, or why there is none. */
export const writeOverlay = Effect.fnUntraced(function* (
  folder: string,
  name: string,
  bytes: Uint8Array,
  { file, result }: RunLine
) {
  const path = yield* Path.Path
  // The drawing libraries load slowly, and few runs need them.
  const { drawOverlay } = yield* Effect.promise(() => import("../../services/pages/DrawOverlay.ts"))
  const overlay = yield* Effect.catchTag(
    drawOverlay(bytes, result.fields ?? {}),
    ["UnreadableDocument", "OcrUnavailable"],
    ({ message }) => fail(`${file}: no overlay can be drawn: ${message}`)
  )
  yield* write(path.join(folder, `${name}.${overlay.ending}`), overlay.bytes)
})
