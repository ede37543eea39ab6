import { Effect, Exit, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { PDFDocument } from "pdf-lib"
import { freePorts } from "../durability/Postgres.ts"
import { manyPages } from "../fixtures/Pdfs.ts"
import { receiver } from "../services/webhooks/Receiver.ts"
import { modelServer } from "../support/ModelServer.ts"
import { startNginx } from "../support/Nginx.ts"
import { blows, type BlowOptions, type Done } from "./Blows.ts"
import { Callers } from "./Callers.ts"
import { startDatabase, type Way } from "./ChaosDatabase.ts"
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
  /** Blows that must have fallen before the last run is posted, however slowly processes start. */
  readonly least?: Done
  /** How the processes reach the database; directly if omitted. */
  readonly way?: Way
  /** Two processes behind nginx, whose callers wait, follow events and send large documents; otherwise three. */
  readonly isDeploy?: boolean
  /** Connections that the database allows, and that each of the three processes may take. */
  readonly connections: { readonly allowed: number; readonly each: number }
  /** The first process freezes itself just before it ends its first execution, for so many seconds. */
  readonly freezeBeforeEnd?: number
  /** Seconds after which everything accepted must have ended, once the blows are over. */
  readonly patience: number
  /** What is broken in the services. */
  readonly mutation?: Mutation
}

/** The model takes its time, so that blows hit executions that run; during deploys at times more than a stop waits for a request. */
const answerMs = (count: number, isDeploy: boolean) => (isDeploy && count % 12 === 0 ? 15_000 : 1_500)

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

const servers = async (scope: Scope.Closeable, isDeploy: boolean) => ({
  models: await Effect.runPromise(
    Scope.provide(
      modelServer((_, count) => sleep(answerMs(count, isDeploy), "An invoice.")),
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

/** A document of a page with an attachment of so many bytes, which do not get smaller by packing. */
const withAttachment = async (page: Uint8Array, bytes: number): Promise<Uint8Array> => {
  const document = await PDFDocument.load(page)
  await document.attach(randomBytes(bytes), "attachment.bin")
  return document.save()
}

/** Runs executions on some nodes over one database while blows fall; resolves with what is wrong afterwards. */
export const runChaos = async ({
  isDeploy = false,
  ...options
}: ChaosOptions): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-chaos-"))
  await mkdir(join(folder, "flows/chaos"), { recursive: true })
  await writeFile(join(folder, "flows/chaos/1.0.0.yaml"), flow)
  const scope = await Effect.runPromise(Scope.make())
  const { hooks, models } = await servers(scope, isDeploy)
  const database = await startDatabase(options.way ?? "direct", [
    `max_connections=${options.connections.allowed}`
  ])
  const ports = await freePorts(6)
  const imported = ["Mutate.ts", "ShiftClock.ts"].map(
    (file) => `--import=${pathToFileURL(join(import.meta.dirname, file)).href}`
  )
  const nodes = [0, 1, 2].slice(isDeploy ? 1 : 0).map((index) => {
    const mutations = [
      ...toLoopback,
      ...(options.mutation === undefined ? [] : [options.mutation]),
      ...(index === 0 && options.freezeBeforeEnd !== undefined ? [freezing] : [])
    ]
    return new ChaosNode({
      DATABASE_URL: database.url,
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
      ...(isDeploy ? { DOCFLOW_TRUSTED_PROXIES: "127.0.0.1/32" } : {}),
      OPENAI_BASE_URL: `${models.url}/v1`,
      OPENAI_API_KEY: "key-of-the-tests",
      NODE_OPTIONS: imported.join(" "),
      CHAOS_MUTATION: JSON.stringify(mutations)
    })
  })
  const findings = new Findings(database.direct)
  const nginx = isDeploy ? await startNginx(nodes.map(({ port }) => port)) : undefined
  try {
    const [first] = await Promise.all(nodes.map((node) => node.running))
    const [frozen] = nodes
    if (first === undefined || frozen === undefined) throw new Error("no node started")
    const tenant = await first.makeOrganization()
    const clients = new Clients(nodes, tenant, findings)
    const small = await manyPages(1)
    const large = isDeploy ? await withAttachment(small, 19_000_000) : small
    const callers = nginx && new Callers(nginx.address, tenant.key, findings, { large, small })
    const base64 = Buffer.from(small).toString("base64")
    const send = (number: number) =>
      callers?.call(number, hooks.url) ?? clients.post(base64, hooks.url, number)
    const progress = { posted: false }
    const isOver = () => progress.posted
    const done: Done = {}
    /** Whether as large a share of the blows has fallen. */
    const hasFallen = (share: number) =>
      Object.entries(options.least ?? {}).every(
        ([kind, least]) => (done[kind] ?? 0) >= Math.floor(least * share)
      )
    // Evenly over the time, or as fast as blows fall and runs are accepted after that.
    const post = async () => {
      await Promise.all(
        Array.from({ length: options.executions }, async (_, number) => {
          const share = number / options.executions
          await sleep(share * options.seconds * 1000)
          while (!hasFallen(share + 1 / options.executions)) await sleep(100)
          await send(number)
        })
      )
      progress.posted = true
    }
    await Promise.all([
      blows(nodes, database, options.blows, options.seed, done, isOver),
      post(),
      clients.look(isOver),
      clients.watch(isOver),
      options.freezeBeforeEnd === undefined ? undefined : thawLater(frozen, options.freezeBeforeEnd)
    ])
    await findings.waitForEnd(options.patience)
    await findings.waitForWebhooks(options.patience, hooks.received)
    const problems = [
      ...(await findings.problems(options.executions)),
      ...findings.webhookProblems(hooks.received)
    ]
    const { answers, readyWhileFailing } = findings
    const stops = nodes.flatMap((node) => node.stops).toSorted((one, other) => one - other)
    const counted = { ...done, answers, readyWhileFailing, stops, callers: callers?.answers }
    console.log(JSON.stringify({ ...counted, webhooks: hooks.received.length }))
    for (const line of (await nginx?.log()) ?? []) console.log(line)
    return problems
  } finally {
    await nginx?.stop()
    await Promise.all(nodes.map((node) => node.stop()))
    await database.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  }
}
