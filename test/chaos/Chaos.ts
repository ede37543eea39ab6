import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { freePorts, type Postgres, startPostgres } from "../durability/Postgres.ts"
import { ServiceProcess, type Tenant } from "../durability/ServiceProcess.ts"
import { manyPages } from "../fixtures/Pdfs.ts"
import { Findings } from "./Findings.ts"

/** How much chaos, and what is broken on purpose. */
export interface ChaosOptions {
  readonly seed: number
  readonly executions: number
  /** Seconds between two blows: a killed process, a restarted database. */
  readonly killEvery: number
  readonly restartEvery: number
  /** Seconds that a process is frozen: longer than its locks live (8). */
  readonly freezeFor: number
  /** Seconds after which everything accepted must have ended, once the blows are over. */
  readonly patience: number
  /** File, text and replacement: what is broken in the services. */
  readonly mutation?: readonly [string, string, string]
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const flow = `docflow: 1
id: chaos
version: 1.0.0
name: Chaos
document: { formats: [application/pdf] }
credits: { perPage: 1 }
steps:
  - { id: one, uses: transform, with: { value: 1 } }
  - { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
  - { id: two, uses: transform, with: { value: "\${{ steps.read.pageCount }}" } }
output: { value: { pages: "\${{ steps.two }}" } }
`

/** A node of the cluster: always the same ports, one process after the other. */
class Node {
  #service: Promise<ServiceProcess>
  /** A process is being replaced or is frozen: another blow would hit the wrong one. */
  #busy = false
  readonly #settings: Record<string, string>

  constructor(settings: Record<string, string>) {
    this.#settings = settings
    this.#service = this.#start()
  }

  /** Starts a process; tries again while the database restarts. */
  async #start(): Promise<ServiceProcess> {
    for (;;) {
      try {
        return await ServiceProcess.start(this.#settings)
      } catch (error) {
        if (!/57P0|08006|53300|ECONNREFUSED|Connection|connect/iu.test(String(error))) throw error
        await sleep(500)
      }
    }
  }

  get address(): string {
    return `http://127.0.0.1:${this.#settings["DOCFLOW_PORT"]}`
  }
  get running(): Promise<ServiceProcess> {
    return this.#service
  }

  async #exclusively(blow: () => Promise<void>): Promise<boolean> {
    if (this.#busy) return false
    this.#busy = true
    try {
      await blow()
    } finally {
      this.#busy = false
    }
    return true
  }

  /** Ends the process with a signal and starts the next one; false where the node is under another blow. */
  replace(signal: NodeJS.Signals): Promise<boolean> {
    return this.#exclusively(async () => {
      await (await this.#service).end(signal)
      this.#service = this.#start()
      await this.#service
    })
  }

  /** Stops the process for some seconds, as a paused machine does. */
  freeze(seconds: number): Promise<boolean> {
    return this.#exclusively(async () => {
      const { pid } = await this.#service
      if (pid === undefined) return
      process.kill(pid, "SIGSTOP")
      await sleep(seconds * 1000)
      process.kill(pid, "SIGCONT")
    })
  }

  async stop(): Promise<void> {
    await (await this.#service).end("SIGKILL")
  }
}

const statusOf = async (response: Promise<Response>): Promise<{ status: number; text: string }> => {
  try {
    const answer = await response
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: 0, text: "" }
  }
}

/** Posts a run with an idempotency key to one node after the other until one accepts it; the execution's id. */
const accept = async (
  nodes: ReadonlyArray<Node>,
  { key }: Tenant,
  base64: string,
  name: string,
  findings: Findings
): Promise<void> => {
  const body = JSON.stringify({
    input: { document: { base64 } },
    idempotencyKey: name,
    webhookUrl: "https://hooks.invalid/chaos"
  })
  for (let attempt = 0; ; attempt++) {
    const node = nodes[(attempt + name.length) % nodes.length]
    const { status, text } = await statusOf(
      fetch(`${node?.address}/api/v1/flows/chaos/run`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(15_000)
      })
    )
    findings.answered(status, text)
    const id = status === 200 ? /"id":"([^"]+)"/u.exec(text)?.[1] : undefined
    if (id !== undefined) return findings.accepted(id)
    await sleep(200)
  }
}

/** Lets blows fall until `over`; says what was done. */
const blows = async (
  nodes: ReadonlyArray<Node>,
  postgres: Postgres,
  options: ChaosOptions,
  isOver: () => boolean
): Promise<Record<string, number>> => {
  const random = randomFrom(options.seed)
  const done = { killed: 0, restarted: 0, frozen: 0, rolled: 0 }
  const pick = () => nodes[Math.floor(random() * nodes.length)]
  const every = async (seconds: number, blow: () => Promise<void>) => {
    for (;;) {
      await sleep(seconds * 1000 * (0.5 + random()))
      if (isOver()) return
      await blow()
    }
  }
  await Promise.all([
    every(options.killEvery, async () => {
      if (await pick()?.replace("SIGKILL")) done.killed++
    }),
    every(options.restartEvery, async () => {
      await postgres.restart()
      done.restarted++
    }),
    every(options.freezeFor, async () => {
      if (await pick()?.freeze(options.freezeFor)) done.frozen++
    }),
    every(options.freezeFor * 2, async () => {
      for (const node of nodes) if (await node.replace("SIGTERM")) done.rolled++
    })
  ])
  return done
}

/** Runs executions on three nodes over one PostgreSQL while processes die; resolves with what is wrong afterwards. */
export const runChaos = async (options: ChaosOptions): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-chaos-"))
  await mkdir(join(folder, "flows/chaos"), { recursive: true })
  await writeFile(join(folder, "flows/chaos/1.0.0.yaml"), flow)
  const postgres = await startPostgres({ settings: ["max_connections=20"] })
  const ports = await freePorts(6)
  const hook = pathToFileURL(join(import.meta.dirname, "Mutate.ts")).href
  const nodes = [0, 1, 2].map(
    (index) =>
      new Node({
        DATABASE_URL: postgres.url,
        DOCFLOW_PORT: String(ports[index]),
        DOCFLOW_CLUSTER_HOST: "127.0.0.1",
        DOCFLOW_CLUSTER_PORT: String(ports[index + 3]),
        DOCFLOW_DATABASE_CONNECTIONS: "5",
        DOCFLOW_DATA_DIR: join(folder, `node-${index}`),
        DOCFLOW_FLOWS_DIR: join(folder, "flows"),
        ...(options.mutation === undefined
          ? {}
          : { NODE_OPTIONS: `--import=${hook}`, CHAOS_MUTATION: JSON.stringify(options.mutation) })
      })
  )
  const findings = new Findings(postgres.url)
  try {
    const [first] = await Promise.all(nodes.map((node) => node.running))
    if (first === undefined) throw new Error("no node started")
    const tenant = await first.makeOrganization()
    const base64 = Buffer.from(await manyPages(1)).toString("base64")
    const progress = { posted: false }
    let next = 0
    const client = async () => {
      while (next < options.executions) await accept(nodes, tenant, base64, `chaos-${next++}`, findings)
    }
    const post = async () => {
      await Promise.all(Array.from({ length: 8 }, client))
      progress.posted = true
    }
    const [done] = await Promise.all([blows(nodes, postgres, options, () => progress.posted), post()])
    await findings.waitForEnd(options.patience)
    const problems = await findings.problems(options.executions)
    console.log(JSON.stringify({ ...done, answers: findings.answers }))
    return problems
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
