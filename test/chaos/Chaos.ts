import { Effect, Exit, Scope } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { freePorts, startPostgres } from "../durability/Postgres.ts"
import { rowsOf } from "../durability/Rows.ts"
import { manyPages } from "../fixtures/Pdfs.ts"
import { receiver } from "../services/webhooks/Receiver.ts"
import { modelServer } from "../support/ModelServer.ts"
import { blows, type BlowOptions } from "./Blows.ts"
import { ChaosNode } from "./ChaosNode.ts"
import { Clients } from "./Clients.ts"
import { Findings } from "./Findings.ts"
import { freezing, type Mutation, toLoopback } from "./Mutations.ts"

/** How much chaos, and what is broken on purpose. */
export interface ChaosOptions {
  readonly seed: number
  readonly executions: number
  /** Seconds over which the runs are posted. */
  readonly seconds: number
  readonly blows: BlowOptions
  /** Kills that must have fallen before the last run is posted, however slowly processes start. */
  readonly kills?: number
  /** Connections that the database allows, and that each of the three processes may take. */
  readonly connections: { readonly allowed: number; readonly each: number }
  /** The first process freezes itself just before it ends its first execution, for so many seconds. */
  readonly freezeBeforeEnd?: number
  /** Seconds after which everything accepted must have ended, once the blows are over. */
  readonly patience: number
  /** What is broken in the services. */
  readonly mutation?: Mutation
}

/** The model takes its time, so that blows hit executions that run. */
const answerMs = 1_500

const flow = `docflow: 1
id: chaos
version: 1.0.0
name: Chaos
document: { formats: [application/pdf] }
credits: { perPage: 1 }
steps:
  - { id: one, uses: transform, with: { value: 1 } }
  - { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
  - { id: ask, uses: generate, with: { document: "\${{ steps.read.document }}", prompt: "What is this?" } }
  - { id: two, uses: transform, with: { value: "\${{ steps.read.pageCount }}" } }
output: { value: { pages: "\${{ steps.two }}" } }
`

const servers = async (scope: Scope.Closeable) => ({
  models: await Effect.runPromise(
    Scope.provide(
      modelServer(() => sleep(answerMs, "An invoice.")),
      scope
    )
  ),
  hooks: await Effect.runPromise(Scope.provide(receiver(), scope))
})

/** Resumes a process that freezes itself, once. */
const thawLater = async (node: ChaosNode, seconds: number) => {
  for (;;) {
    await sleep(200)
    const { pid } = await node.running
    if (pid === undefined || !(await node.isFrozen())) continue
    await sleep(seconds * 1000)
    process.kill(pid, "SIGCONT")
    return
  }
}

/**
 * A user for the services that is no superuser: of the connections that the database allows, three are left for the harness,
 * which has to look when the services have taken all others.
 */
const ordinaryUser = async (url: string): Promise<string> => {
  await rowsOf(url, "create role service login password 'service'")
  await rowsOf(url, "alter database docflow owner to service")
  await rowsOf(url, "alter schema public owner to service")
  return url.replace("//docflow:docflow@", "//service:service@")
}

/** Runs executions on three nodes over one PostgreSQL while processes die; resolves with what is wrong afterwards. */
export const runChaos = async (options: ChaosOptions): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-chaos-"))
  await mkdir(join(folder, "flows/chaos"), { recursive: true })
  await writeFile(join(folder, "flows/chaos/1.0.0.yaml"), flow)
  const scope = await Effect.runPromise(Scope.make())
  const { hooks, models } = await servers(scope)
  const postgres = await startPostgres({ settings: [`max_connections=${options.connections.allowed}`] })
  const database = await ordinaryUser(postgres.url)
  const ports = await freePorts(6)
  const imported = ["Mutate.ts", "ShiftClock.ts"].map(
    (file) => `--import=${pathToFileURL(join(import.meta.dirname, file)).href}`
  )
  const nodes = [0, 1, 2].map((index) => {
    const mutations = [
      ...toLoopback,
      ...(options.mutation === undefined ? [] : [options.mutation]),
      ...(index === 0 && options.freezeBeforeEnd !== undefined ? [freezing] : [])
    ]
    return new ChaosNode({
      DATABASE_URL: database,
      DOCFLOW_PORT: String(ports[index]),
      DOCFLOW_CLUSTER_HOST: "127.0.0.1",
      DOCFLOW_CLUSTER_PORT: String(ports[index + 3]),
      DOCFLOW_DATABASE_CONNECTIONS: String(options.connections.each),
      DOCFLOW_DATA_DIR: join(folder, `node-${index}`),
      DOCFLOW_FLOWS_DIR: join(folder, "flows"),
      DOCFLOW_LLM: "openai:model",
      DOCFLOW_LLM_CONCURRENCY: "16",
      DOCFLOW_LLM_CONTEXT: "4000",
      DOCFLOW_READERS: "1",
      OPENAI_BASE_URL: `${models.url}/v1`,
      OPENAI_API_KEY: "key-of-the-tests",
      NODE_OPTIONS: imported.join(" "),
      CHAOS_MUTATION: JSON.stringify(mutations)
    })
  })
  const findings = new Findings(postgres.url)
  try {
    const [first] = await Promise.all(nodes.map((node) => node.running))
    const [frozen] = nodes
    if (first === undefined || frozen === undefined) throw new Error("no node started")
    const clients = new Clients(nodes, await first.makeOrganization(), findings)
    const base64 = Buffer.from(await manyPages(1)).toString("base64")
    const progress = { posted: false }
    const done = { killed: 0, restarted: 0, frozen: 0, rolled: 0, shifted: 0, locked: 0 }
    const post = async () => {
      await clients.post(options.executions, options.seconds, base64, hooks.url, async (share) => {
        while (done.killed < Math.floor((options.kills ?? 0) * share)) await sleep(100)
      })
      progress.posted = true
    }
    const isOver = () => progress.posted
    await Promise.all([
      blows(nodes, postgres, options.blows, options.seed, done, isOver),
      post(),
      clients.look(isOver),
      options.freezeBeforeEnd === undefined ? undefined : thawLater(frozen, options.freezeBeforeEnd)
    ])
    await findings.waitForEnd(options.patience)
    await findings.waitForWebhooks(options.patience, hooks.received)
    const problems = [
      ...(await findings.problems(options.executions)),
      ...findings.webhookProblems(hooks.received)
    ]
    console.log(JSON.stringify({ ...done, answers: findings.answers, webhooks: hooks.received.length }))
    return problems
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await postgres.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  }
}
