/**
 * Runs every step that asks a model over documents, with the real servers of this machine: Ollama, and llama.cpp's
 * `llama-server`. A server whose program is absent is skipped by name.
 *
 *   DOCFLOW_GGUF=/models/smollm2-135m-instruct.gguf node bench/models/servers.ts [documents] [threads]
 *
 * It reports the completed runs by step, the grounded values whose text is nowhere in the document, which must be none, and how
 * long a server works on after a run was cancelled. The exit code is 1 if a value is invented, or a run ends in an unexpected way.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Docflow } from "../../src/index.ts"
import { allVaried, makeVaried } from "../../test/fixtures/varied/VariedInvoice.ts"

const documents = Number(process.argv[2] ?? 20)
/** Fewer than the machine has cores where it does other work: the threads of llama.cpp wait for each other. */
const threads = process.argv[3]
const gguf = process.env["DOCFLOW_GGUF"]
const folder = mkdtempSync(join(tmpdir(), "docflow-servers-"))

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

/** The documents, as PDF. */
const inputs = await Promise.all(
  allVaried(1)
    .filter((_, index) => index % 7 === 0)
    .slice(0, documents)
    .map((options) => makeVaried(options))
)

const measure = async ({ settings }: Server): Promise<boolean> => {
  Object.assign(process.env, settings)
  await using docflow = Docflow.open()
  let holds = true
  for (const [kind, text] of Object.entries(flows)) {
    const file = join(folder, `${kind}.yaml`)
    writeFileSync(file, text)
    let [completed, invented] = [0, 0]
    const failures = new Map<string, number>()
    for (const { bytes } of inputs) {
      const { artifacts, error, fields, status } = await docflow.run(file, bytes)
      if (status === "completed") completed++
      else failures.set(error?.message ?? "", (failures.get(error?.message ?? "") ?? 0) + 1)
      const printed = lettersOf(JSON.stringify(artifacts["read"] ?? ""))
      invented += Object.values(fields).filter(
        ({ status: how, text: found }) => how === "grounded" && !printed.includes(lettersOf(found ?? ""))
      ).length
    }
    console.log(`  ${kind}: ${completed} of ${inputs.length} completed, ${invented} values invented`)
    for (const [message, count] of failures) console.log(`    ${count} × ${message}`)
    holds &&= invented === 0
  }
  const [first] = inputs
  if (first !== undefined) {
    const stop = new AbortController()
    const run = docflow.run(join(folder, "extract.yaml"), first.bytes, { signal: stop.signal })
    setTimeout(() => stop.abort(), 2_000)
    const ended = await run.then(
      () => "ended before it was cancelled",
      () => "was cancelled"
    )
    const from = Date.now()
    await docflow.run(join(folder, "generate.yaml"), first.bytes)
    console.log(`  a run ${ended}; the next one took ${Date.now() - from} ms`)
  }
  return holds
}

for (const server of servers) {
  const { args, prepare, program, ready } = server
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
      if (!(await measure(server))) process.exitCode = 1
    } else {
      console.log("  did not start")
      process.exitCode = 1
    }
  } finally {
    child.kill()
  }
}
rmSync(folder, { recursive: true })
