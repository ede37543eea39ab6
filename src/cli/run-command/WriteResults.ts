import { Effect, FileSystem, Path, Predicate } from "effect"
import { cannotWrite } from "../../domain/FileProblem.ts"
import { fail } from "../CommandFailed.ts"
import { jsonLine, type RunLine } from "./RunLine.ts"

/**
 * A cell of a CSV file. Spreadsheets run a string that begins with `=`, `+`, `-` or `@` as a formula, and documents
 * come from strangers, so such a string gets an apostrophe. Numbers are unchanged.
 */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const harmless = /^[=+\-@\t\r]/u.test(text) && !/^-?\d+(?:\.\d+)?$/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const valuesOf = ({ result }: RunLine): Readonly<Record<string, unknown>> =>
  Predicate.isObject(result.output) ? Object.fromEntries(Object.entries(result.output)) : {}

/** The runs of a flow as CSV (RFC 4180): a line for each document, a column for each field of the output. */
const csvText = (lines: ReadonlyArray<RunLine>): string => {
  const fields = [...new Set(lines.flatMap((line) => Object.keys(valuesOf(line))))]
  const header = ["file", "status", "review", "error", ...fields].map(cell).join(",")
  const rows = lines.map((line) => {
    const values = valuesOf(line)
    const review = line.review.map(({ field }) => field).join(" ")
    return [
      line.file,
      line.result.status,
      review,
      line.result.error?.message,
      ...fields.map((name) => values[name])
    ]
      .map(cell)
      .join(",")
  })
  return [header, ...rows, ""].join("\r\n")
}

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
    ["UnreadableDocument", "ReaderUnavailable", "OcrUnavailable"],
    ({ message }) => fail(`${file}: no overlay can be drawn: ${message}`)
  )
  yield* write(path.join(folder, `${name}.${overlay.ending}`), overlay.bytes)
})
