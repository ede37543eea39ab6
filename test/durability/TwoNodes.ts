import { Effect, Exit, Scope } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll } from "vitest"
import { type Mutation, toLoopback } from "../chaos/Mutations.ts"
import { asking } from "../security/AskingFlows.ts"
import { modelServer, type ModelServer } from "../support/ModelServer.ts"
import { until } from "../support/Until.ts"
import { freePorts, type Postgres, startPostgres } from "./Postgres.ts"
import { rowsOf } from "./Rows.ts"
import { ServiceProcess, type Answer, type Tenant } from "./ServiceProcess.ts"

/** What the model says; no document contains it. */
export const answer = "A debt that is none."

const note = `docflow: 1
id: note
version: 1.0.0
name: Note
document: { formats: [text/plain] }
steps:
  - { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
output:
  value: { text: "\${{ steps.read.document.pages[0].lines[0].text }}" }
`

const flows: Readonly<Record<string, string>> = {
  asking,
  note,
  remembering: asking
    .replaceAll("asking", "remembering")
    .replace("uses: generate", "uses: generate\n    cache: 1h")
}

const imported = ["Mutate.ts", "ShiftClock.ts"].map(
  (file) => `--import=${pathToFileURL(join(import.meta.dirname, "../chaos", file)).href}`
)

/** Settings of a process in which texts of source files are others, and which may send webhooks to this machine. */
export const mutated = (...mutation: Mutation) => ({
  NODE_OPTIONS: imported.join(" "),
  CHAOS_MUTATION: JSON.stringify([mutation, ...toLoopback])
})

/**
 * Without its look-up every 2 seconds a process learns what happens in the other one from signals alone: a test of them
 * cannot pass by waiting.
 */
const withoutLookUp = mutated("signals/Signals.ts", "2 seconds", "1 hour")

/** Two processes over one PostgreSQL and one folder of documents, with a model that the tests hold back. */
export class TwoNodes {
  readonly nodes: readonly [ServiceProcess, ServiceProcess]
  readonly models: ModelServer
  /** The URL of the database. */
  readonly database: string
  /** The folder of the documents. */
  readonly data: string
  /** The ports at which the processes reach each other. */
  readonly clusterPorts: ReadonlyArray<number>
  /** Starts one more process with the settings of the two; its test ends it. */
  readonly startAnother: () => Promise<ServiceProcess>

  constructor(
    nodes: readonly [ServiceProcess, ServiceProcess],
    models: ModelServer,
    database: string,
    data: string,
    clusterPorts: ReadonlyArray<number>,
    startAnother: () => Promise<ServiceProcess>
  ) {
    this.nodes = nodes
    this.models = models
    this.database = database
    this.data = data
    this.clusterPorts = clusterPorts
    this.startAnother = startAnother
  }

  /** Node 0 for an even index, node 1 for an odd one. */
  node(index: number): ServiceProcess {
    return this.nodes[index % 2 === 0 ? 0 : 1]
  }

  /** Posts a run of a flow with a plain text as its document. Where it waits for the end, it waits as long as a run can. */
  run(index: number, tenant: Tenant, flow: string, document: string, rest: object = {}): Promise<Answer> {
    const input = { document: { base64: Buffer.from(document).toString("base64") } }
    return this.node(index).call("POST", `/api/v1/flows/${flow}/run`, {
      key: tenant.key,
      body: { input, ...("wait" in rest ? { timeout: 60_000 } : {}), ...rest }
    })
  }

  /** The rows of a statement, straight from the database. */
  rows(statement: string): Promise<ReadonlyArray<object>> {
    return rowsOf(this.database, statement)
  }

  /** From now on the model answers nothing; what is returned lets it answer everything. */
  holdModel(): () => void {
    const held = Promise.withResolvers<string>()
    this.models.become(() => held.promise)
    return () => {
      this.models.become(() => answer)
      held.resolve(answer)
    }
  }

  /**
   * Waits until the model was asked about each of the documents, by what is written in them. It may be asked twice about one: soon
   * after the start, executions still move from one node to the other.
   */
  async askedAbout(documents: ReadonlyArray<string>): Promise<void> {
    await until("the model to be asked about all documents", async () => {
      const { asked } = this.models
      return documents.every((document) => asked.some(({ text }) => text.includes(document))) || undefined
    })
  }
}

const writeFlows = async (folder: string): Promise<void> => {
  for (const [id, text] of Object.entries(flows)) {
    await mkdir(join(folder, "flows", id), { recursive: true })
    await writeFile(join(folder, "flows", id, "1.0.0.yaml"), text)
  }
}

const startNode = (
  folder: string,
  models: ModelServer,
  postgres: Postgres,
  port: number
): Promise<ServiceProcess> =>
  ServiceProcess.start({
    DATABASE_URL: postgres.url,
    DOCFLOW_BLOBS: "folder",
    DOCFLOW_CLUSTER_HOST: "127.0.0.1",
    DOCFLOW_CLUSTER_PORT: String(port),
    DOCFLOW_CONCURRENCY: "64",
    DOCFLOW_DATA_DIR: join(folder, "data"),
    DOCFLOW_FLOWS_DIR: join(folder, "flows"),
    DOCFLOW_LLM: "openai:model",
    DOCFLOW_LLM_CONCURRENCY: "64",
    DOCFLOW_LLM_CONTEXT: "4000",
    DOCFLOW_READERS: "1",
    OPENAI_BASE_URL: `${models.url}/v1`,
    OPENAI_API_KEY: "key-of-the-tests",
    ...withoutLookUp
  })

/** Two nodes for the tests of a file, started before them and killed after them. */
export const useTwoNodes = (): { readonly it: TwoNodes } => {
  let made: TwoNodes | undefined
  const release: Array<() => Promise<void>> = []
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "docflow-nodes-"))
    release.push(() => rm(folder, { recursive: true, force: true }))
    const scope = await Effect.runPromise(Scope.make())
    release.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const models = await Effect.runPromise(
      Scope.provide(
        modelServer(() => answer),
        scope
      )
    )
    const postgres = await startPostgres()
    release.push(() => postgres.stop())
    await writeFlows(folder)
    const [first = 0, second = 0, third = 0] = await freePorts(3)
    const startAt = (port: number) => startNode(folder, models, postgres, port)
    const nodes = await Promise.all([startAt(first), startAt(second)])
    release.push(async () => {
      await Promise.all(nodes.map((node) => node.end("SIGKILL")))
    })
    made = new TwoNodes(nodes, models, postgres.url, join(folder, "data"), [first, second], () =>
      startAt(third)
    )
  })
  afterAll(async () => {
    for (const end of release.toReversed()) await end()
  })
  return {
    get it() {
      if (made === undefined) throw new Error("the nodes are not started yet")
      return made
    }
  }
}
