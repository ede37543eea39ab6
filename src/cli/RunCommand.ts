import { Console, Effect, FileSystem, Option, Path, Predicate, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { fail, Failed } from "./CommandFailed.ts"
import { flowFileOf, openFlow } from "./FlowArgument.ts"
import { showProgress, textTable } from "./Terminal.ts"
import { describeResult } from "./ResultText.ts"
import { expandPaths, formatAdvice, jsonLine, needsReview, type RunLine } from "./run-command/ExpandPaths.ts"
import { cannotRead, cannotWrite } from "../domain/FileProblem.ts"
import { fieldsToReview, LocalRuns } from "../services/local-runs/LocalRuns.ts"

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
const resultNames = (files: ReadonlyArray<string>, basename: (file: string) => string) => {
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
const writeTables = Effect.fnUntraced(function* (
  lines: ReadonlyArray<RunLine>,
  files: { readonly csv: string | undefined; readonly jsonl: string | undefined }
) {
  if (files.csv !== undefined) yield* write(files.csv, csvText(lines))
  if (files.jsonl !== undefined)
    yield* write(files.jsonl, lines.map((line) => `${jsonLine(line)}\n`).join(""))
})

/** Writes the result of one document into the folder of `--out`. */
const writeResult = Effect.fnUntraced(function* (folder: string, name: string, line: RunLine) {
  const path = yield* Path.Path
  const { file, result, review } = line
  yield* write(path.join(folder, `${name}.json`), `${JSON.stringify({ file, ...result, review }, null, 2)}\n`)
})

/** Draws the boxes of one document into the folder of `--overlay`; returns the file, or why there is none. */
const writeOverlay = Effect.fnUntraced(function* (
  folder: string,
  name: string,
  bytes: Uint8Array,
  { file, result }: RunLine
) {
  const path = yield* Path.Path
  // The drawing libraries load slowly, and few runs need them.
  const { drawOverlay } = yield* Effect.promise(() => import("../services/pages/DrawOverlay.ts"))
  const overlay = yield* Effect.catchTag(
    drawOverlay(bytes, result.fields ?? {}),
    ["UnreadableDocument", "ReaderUnavailable", "OcrUnavailable"],
    ({ message }) => fail(`${file}: no overlay can be drawn: ${message}`)
  )
  yield* write(path.join(folder, `${name}.${overlay.ending}`), overlay.bytes)
})

/** Runs one document of a batch; returns its bytes, if it ran, and its line. */
const runOne = Effect.fnUntraced(function* (
  compiled: Parameters<LocalRuns["Service"]["run"]>[0],
  file: string,
  variables: { readonly [name: string]: unknown },
  onProgress: (step: string, percentage: number) => void
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const runs = yield* LocalRuns
  const { id, version } = compiled.definition
  const refused = (code: string, message: string): RunLine => ({
    file,
    result: { flow: id, version, status: "failed", error: { code, message } },
    review: []
  })
  const bytes = yield* Effect.result(fs.readFile(file))
  if (Result.isFailure(bytes))
    return { bytes: undefined, line: refused("INVALID_INPUT", cannotRead(file, bytes.failure)) }
  const ran = yield* Effect.result(
    runs.run(compiled, bytes.success, { filename: path.basename(file), variables, onProgress })
  )
  if (Result.isFailure(ran)) {
    const { _tag: code, message } = ran.failure
    return { bytes: undefined, line: refused(code, formatAdvice(file) ?? message) }
  }
  const { artifacts, ...result } = ran.success
  const line: RunLine = { file, result, review: fieldsToReview({ artifacts }) }
  return { bytes: bytes.success, line }
})

const longest = 60

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

const remark = ({ result, review }: RunLine): string =>
  result.error === undefined
    ? review.map(({ confidence, field }) => `${field} ${Math.round(confidence * 100)} %`).join(", ")
    : result.error.message

/** The summary of a batch: a row for each document, and the totals. */
const batchTable = (lines: ReadonlyArray<RunLine>): string => {
  const rows = lines.map((line) => [
    line.file,
    line.result.status,
    String(line.result.metrics?.pageCount ?? "–"),
    cut(remark(line).replace(/\s+/gu, " "))
  ])
  const failed = lines.filter(({ result }) => result.status === "failed").length
  const review = lines.filter(needsReview).length - failed
  const totals = `${lines.length} documents: ${lines.length - failed} completed, ${review} to review, ${failed} failed`
  return [...textTable([["file", "status", "pages", "to review"], ...rows]), "", totals].join("\n")
}

const flow = Argument.String("flow").pipe(
  Argument.withDescription("A flow's id (its newest version in the flows folder) or a flow file")
)
const files = Argument.String("file").pipe(
  Argument.withDescription("Documents: files, folders or patterns such as 'in/**/*.pdf'"),
  Argument.variadic({ min: 1 })
)
const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one line of JSON for each document"),
  Flag.withDefault(false)
)
const variables = Flag.String("variables").pipe(
  Flag.withDescription("The flow's variables, as a JSON object"),
  Flag.optional
)
const concurrency = Flag.Int("concurrency").pipe(
  Flag.withDescription("Number of documents to run at the same time. Default: 2"),
  Flag.withDefault(2)
)
const target = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const flags = {
  flow,
  files,
  json,
  variables,
  concurrency,
  csv: target("csv", "Write a table to this file: a line for each document, a column for each field"),
  jsonl: target("jsonl", "Write one line of JSON for each document to this file"),
  out: target("out", "Write the result of each document, with its evidence, into this folder"),
  overlay: target(
    "overlay",
    "Draw the boxes of the fields onto each document, into this folder (PDF or PNG)"
  ),
  failOnReview: Flag.Boolean("fail-on-review").pipe(
    Flag.withDescription("Exit with code 2 if a document has fields that a person should check"),
    Flag.withDefault(false)
  )
}

const readVariables = (text: Option.Option<string>) => {
  const parsed = Result.try((): unknown => JSON.parse(Option.getOrElse(text, () => "{}")))
  return Result.isSuccess(parsed) && isVariables(parsed.success)
    ? Effect.succeed(parsed.success)
    : fail(`--variables must be a JSON object, like '{"dateOrder":"MDY"}'`)
}

type Variables = { readonly [name: string]: unknown }

const isVariables = (value: unknown): value is Variables =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Up to so many documents are printed with their fields; more are a table. */
const mostDetailed = 3

/** Calls `emit` for each value in order of the indices, as soon as all earlier ones have arrived. */
const inOrder = <A>(emit: (value: A) => Effect.Effect<void>) => {
  const waiting = new Map<number, A>()
  let next = 0
  return Effect.fnUntraced(function* (index: number, value: A) {
    waiting.set(index, value)
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next++)
      yield* emit(ready)
    }
  })
}

/** `docflow run`: runs a flow on files in this process, without a service. */
export const runCommand = Command.make("run", flags, (input) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    if (input.concurrency < 1 || input.concurrency > 64)
      return yield* fail("--concurrency must be between 1 and 64")
    const given = yield* readVariables(input.variables)
    const compiled = yield* openFlow(yield* flowFileOf(input.flow))
    const documents = yield* expandPaths(input.files)
    const names = resultNames(documents, (file) => path.basename(file, path.extname(file)))
    const isBatch = documents.length > mostDetailed
    const [out, overlay] = [Option.getOrUndefined(input.out), Option.getOrUndefined(input.overlay)]

    const progress = showProgress(input.json)
    const done = new Map<number, RunLine>()
    let toReview = 0
    const print = inOrder((line: RunLine) => {
      progress.clear()
      if (input.json) return Console.log(jsonLine(line))
      return isBatch ? Effect.void : Console.log(describeResult(line.file, line.result, line.review))
    })
    const totals = () => `${done.size} of ${documents.length}${toReview > 0 ? `, ${toReview} to review` : ""}`
    const runDocument = Effect.fnUntraced(function* (file: string, index: number) {
      const { bytes, line } = yield* runOne(compiled, file, given, (step, percentage) =>
        progress.show(
          documents.length === 1
            ? `${file}: ${step} ${Math.round(percentage)} %`
            : `${totals()}: ${file}, ${step}`
        )
      )
      done.set(index, line)
      const name = names.get(file) ?? "document"
      if (out !== undefined) yield* writeResult(out, name, line)
      if (overlay !== undefined && bytes !== undefined) yield* writeOverlay(overlay, name, bytes, line)
      if (needsReview(line)) toReview++
      progress.show(totals())
      yield* print(index, line)
      return line
    })

    const tables = { csv: Option.getOrUndefined(input.csv), jsonl: Option.getOrUndefined(input.jsonl) }
    const lines = yield* Effect.forEach(documents, runDocument, { concurrency: input.concurrency }).pipe(
      Effect.ensuring(Effect.sync(progress.clear)),
      // What is done took time and may have cost money.
      Effect.onError(() => {
        const kept = documents.flatMap((_, index) => done.get(index) ?? [])
        return kept.length === 0 ? Effect.void : Effect.ignore(writeTables(kept, tables))
      })
    )
    yield* writeTables(lines, tables)
    if (isBatch && !input.json) yield* Console.log(batchTable(lines))
    if (lines.some(({ result }) => result.status === "failed")) return yield* new Failed({})
    if (input.failOnReview && lines.some(needsReview)) return yield* new Failed({ exitCode: 2 })
  })
).pipe(
  Command.withDescription(
    "Run a flow on documents in this process.\n\nExit codes: 0 all documents completed; 1 a document failed, or the command could not run; 2 with --fail-on-review, a document has fields to review."
  ),
  Command.withShortDescription("Run a flow on documents in this process")
)
