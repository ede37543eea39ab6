/**
 * Runs every step that asks a model over documents of a page, with the real servers of this machine: Ollama, and llama.cpp's
 * `llama-server`. A server whose program is absent is skipped by name.
 *
 *   DOCFLOW_GGUF=/models/smollm2-135m-instruct.gguf node bench/models/servers.ts \
 *     [--documents 20] [--threads 1] [--seconds 90] [--results servers.jsonl] [--most 6] [--only ollama]
 *
 * Each run is written to the results at once, and is not repeated by another start with the same file; `--most` ends a start after so
 * many runs. A run that takes longer than `--seconds` is cancelled and counts as such. It reports the answers that kept to the
 * schema, the grounded values whose text is nowhere in the document, which must be none, and how long a server works on after a run
 * was cancelled. The exit code is 1 if a value is invented, or an answer does not keep to the schema.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Docflow } from "../../src/index.ts"
import { shortDocument } from "./ShortDocument.ts"
import { cpuTimeOfAll } from "../ServiceCpu.ts"

const { values: options } = parseArgs({
  options: {
    documents: { type: "string", default: "20" },
    // Fewer than the machine has cores where it does other work: the threads of llama.cpp wait for each other.
    threads: { type: "string" },
    seconds: { type: "string", default: "90" },
    results: { type: "string" },
    most: { type: "string", default: "Infinity" },
    only: { type: "string" }
  }
})
const { threads } = options
const gguf = process.env["DOCFLOW_GGUF"]
const folder = mkdtempSync(join(tmpdir(), "docflow-servers-"))
const results = options.results ?? join(folder, "results.jsonl")

const flowOf = (id: string, step: string, output: string): string => `docflow: 1
id: ${id}
version: 1.0.0
name: ${id}
document: { formats: [application/pdf] }
steps:
  - { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
  - id: asked
${step}
output: { value: { asked: "\${{ ${output} }}" } }
`

/** A flow for each kind of step that asks a model. */
const flows = {
  extract: flowOf(
    "extract",
    `    uses: extract
    with:
      document: \${{ steps.read.document }}
      using: [llm]
      fields:
        number: { type: string, description: The number of the invoice. }
        total: { type: number, description: The amount to pay. }
        rows: { type: table, columns: { description: string, amount: number } }`,
    "steps.asked.values.number"
  ),
  classify: flowOf(
    "classify",
    `    uses: classify
    with:
      document: \${{ steps.read.document }}
      using: [llm]
      classes: { invoice: { description: An invoice. }, letter: { description: A letter. } }`,
    "steps.asked.class"
  ),
  generate: flowOf(
    "generate",
    `    uses: generate
    with: { document: "\${{ steps.read.document }}", prompt: Who sends this document, maxTokens: 60 }`,
    "steps.asked.text"
  )
}

interface Server {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly settings: Readonly<Record<string, string>>
  readonly ready: string
  /** Makes the model known to the server. */
  readonly prepare?: () => void
}

const ports = { llama: 18_091, ollama: 18_092 }
const ollamaHost = `127.0.0.1:${ports.ollama}`

const servers: ReadonlyArray<Server> = [
  {
    program: "llama-server",
    args: [
      "-m",
      gguf ?? "",
      "--port",
      `${ports.llama}`,
      "-c",
      "8192",
      ...(threads === undefined ? [] : ["-t", threads])
    ],
    settings: {
      DOCFLOW_LLM: "openai:local",
      OPENAI_BASE_URL: `http://127.0.0.1:${ports.llama}/v1`,
      DOCFLOW_LLM_CONTEXT: "8192"
    },
    ready: `http://127.0.0.1:${ports.llama}/health`
  },
  {
    program: "ollama",
    args: ["serve"],
    settings: { DOCFLOW_LLM: "ollama:docflow-bench", OLLAMA_HOST: ollamaHost },
    ready: `http://${ollamaHost}/api/version`,
    prepare: () => {
      const file = join(folder, "Modelfile")
      writeFileSync(file, `FROM ${gguf}\n${threads === undefined ? "" : `PARAMETER num_thread ${threads}\n`}`)
      const env = { ...process.env, OLLAMA_HOST: ollamaHost }
      spawnSync("ollama", ["create", "docflow-bench", "-f", file], { env, stdio: "inherit" })
    }
  }
]

const isThere = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined

/** Waits up to two minutes for a server that loads its model. */
const awaitReady = async (address: string, child: ChildProcess): Promise<boolean> => {
  for (let second = 0; second < 120 && child.exitCode === null; second++) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok === true) return true
    await sleep(1_000)
  }
  return false
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

interface Result {
  readonly server: string
  readonly step: string
  readonly document: number
  readonly end: "answered" | "took too long" | "failed"
  readonly message: string
  readonly grounded: number
  readonly invented: number
  readonly ms: number
}

const isResult = (value: unknown): value is Result =>
  typeof value === "object" && value !== null && "server" in value && "step" in value && "end" in value

/** What is known already. */
const known: Array<Result> = existsSync(results)
  ? readFileSync(results, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line))
      .filter(isResult)
  : []
let left = Number(options.most)

const runOne = async (docflow: Docflow, server: string, step: string, document: number): Promise<Result> => {
  const from = performance.now()
  const seconds = Number(options.seconds)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), seconds * 1000)
  const about = { server, step, document }
  try {
    const bytes = await shortDocument(document)
    const ended = await docflow.run(join(folder, `${step}.yaml`), bytes, { signal: stop.signal })
    const printed = lettersOf(JSON.stringify(ended.artifacts["read"] ?? ""))
    const grounded = Object.values(ended.fields).filter(({ status }) => status === "grounded")
    return {
      ...about,
      end: ended.status === "completed" ? "answered" : "failed",
      message: ended.error?.message ?? "",
      grounded: grounded.length,
      invented: grounded.filter(({ text }) => !printed.includes(lettersOf(text ?? ""))).length,
      ms: performance.now() - from
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
    const message = `longer than ${seconds} s`
    return { ...about, end: "took too long", message, grounded: 0, invented: 0, ms: performance.now() - from }
  } finally {
    clearTimeout(timer)
  }
}

/** How long a server works on after its run was cancelled, in milliseconds: until it uses no CPU for half a second. */
const cancelled = async (docflow: Docflow, pid: number): Promise<number> => {
  const stop = new AbortController()
  const run = docflow.run(join(folder, "extract.yaml"), await shortDocument(3), { signal: stop.signal })
  const idle = await cpuTimeOfAll(pid)
  // It works on the request by then.
  while ((await cpuTimeOfAll(pid)) < idle + 1_000) await sleep(50)
  stop.abort()
  await run.catch(() => undefined)
  const from = performance.now()
  let [busyAt, used] = [from, await cpuTimeOfAll(pid)]
  while (performance.now() < busyAt + 500) {
    await sleep(50)
    const now = await cpuTimeOfAll(pid)
    if (now > used + 10) busyAt = performance.now()
    used = now
  }
  return busyAt - from
}

/** Makes the runs that are not known yet. */
const measure = async ({ program, settings }: Server, pid: number): Promise<void> => {
  Object.assign(process.env, settings)
  await using docflow = Docflow.open()
  for (const [step, text] of Object.entries(flows)) writeFileSync(join(folder, `${step}.yaml`), text)
  for (let document = 0; document < Number(options.documents); document++) {
    for (const step of Object.keys(flows)) {
      if (known.some((one) => one.server === program && one.step === step && one.document === document))
        continue
      if (left-- <= 0) return
      const result = await runOne(docflow, program, step, document)
      known.push(result)
      appendFileSync(results, `${JSON.stringify(result)}\n`)
    }
  }
  const times: Array<string> = []
  for (let time = 0; time < 3; time++) times.push((await cancelled(docflow, pid)).toFixed(0))
  console.log(`  works on after a cancel for ${times.join(", ")} ms`)
}

const report = (program: string): void => {
  for (const step of Object.keys(flows)) {
    const own = known.filter((one) => one.server === program && one.step === step)
    const count = (end: Result["end"]): number => own.filter((one) => one.end === end).length
    const broken = own.filter(({ message }) => /schema|valid JSON/u.test(message)).length
    const invented = own.reduce((sum, one) => sum + one.invented, 0)
    const grounded = own.reduce((sum, one) => sum + one.grounded, 0)
    console.log(
      `  ${step}: ${own.length} runs, ${count("answered")} answered, ${count("took too long")} took too long, ` +
        `${count("failed")} failed (${broken} by the schema); ${grounded} values grounded, ${invented} of them not on the page`
    )
    const failures = Map.groupBy(
      own.filter(({ end }) => end === "failed"),
      ({ message }) => message
    )
    for (const [message, { length }] of failures) console.log(`    ${length} × ${message}`)
    if (invented + broken > 0) process.exitCode = 1
  }
}

for (const server of servers) {
  const { args, prepare, program, ready } = server
  if (options.only !== undefined && options.only !== program) continue
  if (gguf === undefined || !isThere(program)) {
    console.log(
      `${program}: skipped, ${gguf === undefined ? "DOCFLOW_GGUF is not set" : "it is not installed"}`
    )
    continue
  }
  console.log(program)
  const child = spawn(program, args, { env: { ...process.env, OLLAMA_HOST: ollamaHost }, stdio: "ignore" })
  try {
    if (await awaitReady(ready, child)) {
      prepare?.()
      await measure(server, child.pid ?? 0)
      report(program)
    } else {
      console.log("  did not start")
      process.exitCode = 1
    }
  } finally {
    child.kill()
  }
}
rmSync(folder, { recursive: true })
