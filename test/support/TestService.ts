import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime, Schema } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, inject } from "vitest"
import * as App from "../../src/app/App.ts"
import { Settings } from "../../src/config/Config.ts"
import { allScopes, type Scope } from "../../src/domain/ApiKey.ts"
import type { Environment, Plan } from "../../src/domain/Organization.ts"
import { booksProblems } from "./Books.ts"
import { placeEmptyStore } from "./EmptyStore.ts"
import { textAt } from "./Json.ts"
import { Gates, testSteps } from "./Steps.ts"
import { writeFlows } from "./TestFlows.ts"
import { until } from "./Until.ts"
import { fetchWhileBusy } from "./WhileBusy.ts"

/** What a request sends as well as its method and path. */
export interface Sent {
  readonly key?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Record<string, string>
  /** Whether the test asks for a 503. Otherwise the request is sent again, as `Retry-After` says. */
  readonly mayBeRefused?: boolean
}

/** What came back. `body` is the parsed JSON, or undefined where there was none. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** An organization with a live and a test key, each with every scope. */
export interface Tenant {
  readonly id: string
  readonly live: string
  readonly test: string
}

/** An organization to be made; without a plan it may do a lot and has 10,000 credits. */
export interface NewTenant {
  readonly plan?: Plan
  readonly credits?: number
  readonly requestsPerMinute?: number
  readonly concurrentExecutions?: number
}

/** The admin token of every test service. */
export const adminToken = "the-admin-token-of-the-tests"

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const parsed = parseJson(text)
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parsed._tag === "Some" ? parsed.value : undefined
  }
}

const serviceLayer = (settings: Record<string, string>, gates: Gates, logs: Array<string>) =>
  App.layerWith(testSteps(gates)).pipe(
    Layer.provideMerge(Settings.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: settings }))),
    Layer.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))]))
  )

type ServiceRuntime = ManagedRuntime.ManagedRuntime<
  Layer.Success<ReturnType<typeof serviceLayer>>,
  Layer.Error<ReturnType<typeof serviceLayer>>
>

/** The whole service in this process, on a free port of the loopback, over an embedded database of its own. */
export class TestService {
  readonly gates: Gates
  /** Every line that the service logged. */
  readonly logs: ReadonlyArray<string>
  /** Like `http://127.0.0.1:40123`. */
  readonly address: string
  readonly #runtime: ServiceRuntime
  readonly #folder: string

  private constructor(
    address: string,
    runtime: ServiceRuntime,
    folder: string,
    gates: Gates,
    logs: Array<string>
  ) {
    this.address = address
    this.#runtime = runtime
    this.#folder = folder
    this.gates = gates
    this.logs = logs
  }

  /** Starts a service with the flows of the tests; `settings` are variables of the environment; its data are in a new folder. */
  static async start(settings: Record<string, string> = {}, within = tmpdir()): Promise<TestService> {
    const folder = await mkdtemp(join(within, "docflow-test-"))
    await Promise.all([placeEmptyStore(join(folder, "data/database")), writeFlows(join(folder, "flows"))])
    const gates = new Gates()
    const logs: Array<string> = []
    const runtime = ManagedRuntime.make(
      serviceLayer(
        {
          DOCFLOW_PORT: "0",
          DOCFLOW_DATA_DIR: join(folder, "data"),
          DOCFLOW_FLOWS_DIR: join(folder, "flows"),
          DOCFLOW_ADMIN_TOKEN: adminToken,
          DOCFLOW_READERS: "1",
          ...settings
        },
        gates,
        logs
      )
    )
    const server = await runtime.runPromise(HttpServer.HttpServer)
    return new TestService(HttpServer.formatAddress(server.address), runtime, folder, gates, logs)
  }

  /** Stops the service and removes its data. */
  async stop(): Promise<void> {
    await this.#runtime.dispose()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Runs an effect with the services of the service. */
  run<A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof serviceLayer>>>): Promise<A> {
    return this.#runtime.runPromise(effect)
  }

  /** The rows of a statement, straight from the database. */
  rows(statement: string): Promise<ReadonlyArray<object>> {
    return this.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<object>(statement)))
  }

  /** A request to any path of the server. */
  async request(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { body, headers, key, mayBeRefused = false, raw } = sent
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request: RequestInit = {
      method,
      redirect: "manual",
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(content === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      body: content instanceof Uint8Array ? Buffer.from(content) : (content ?? null)
    }
    return answerOf(await (mayBeRefused ? fetch : fetchWhileBusy)(this.address + path, request))
  }

  /** A request to the API: `path` is relative to its base, like `/flows`. */
  call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    return this.request(method, `/api/v1${path}`, sent)
  }

  /** A request to the administration API. */
  admin(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.request(method, `/api/admin/v1${path}`, { key: adminToken, body })
  }

  /** Sends bytes over a connection of its own and gives back the status line and headers of the answer. */
  sendBytes(bytes: string): Promise<string> {
    const { hostname, port } = new URL(this.address)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      let answer = ""
      const done = () => {
        socket.destroy()
        resolve(answer)
      }
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1")
        const [head, rest] = answer.split("\r\n\r\n")
        const length = Number(/content-length: (\d+)/iu.exec(head ?? "")?.[1] ?? "NaN")
        if (rest !== undefined && rest.length >= length) done()
      })
      socket.on("close", done)
      socket.on("error", reject)
    })
  }

  /** Makes an organization with a live and a test key. */
  async tenant(options: NewTenant = {}): Promise<Tenant> {
    const unlimited = { plan: "enterprise", requestsPerMinute: 100_000, concurrentExecutions: 1000 } as const
    const made = await this.admin("POST", "/organizations", {
      name: "tenant",
      credits: 10_000,
      ...(options.plan === undefined ? unlimited : {}),
      ...options
    })
    const id = textAt(made.body, "id")
    return { id, live: await this.key(id), test: await this.key(id, "test") }
  }

  /** Makes a key of an organization. */
  async key(
    organization: string,
    environment: Environment = "live",
    scopes: ReadonlyArray<Scope> = allScopes
  ): Promise<string> {
    const made = await this.admin("POST", `/organizations/${organization}/keys`, {
      name: "key",
      environment,
      scopes
    })
    return textAt(made.body, "key")
  }

  /** The credits of an organization. */
  async credits(organization: string): Promise<unknown> {
    const { body } = await this.admin("GET", `/organizations/${organization}`)
    return Object(body).credits
  }

  /** Asks for an execution until its status is the one that is waited for. */
  awaitStatus(key: string, executionId: string, status: string): Promise<unknown> {
    return until(`${executionId} to be ${status}`, async () => {
      const { body } = await this.call("GET", `/runs/${executionId}`, { key })
      return textAt(body, "status") === status ? body : undefined
    })
  }

  /** Lets every execution end, and fails the test when the credits do not add up. */
  async checkBooks(): Promise<void> {
    this.gates.openAll()
    await until("all executions to end", async () => {
      const unfinished = await this.rows(
        "select 1 from executions where status in ('pending', 'running') limit 1"
      )
      return unfinished.length === 0 ? true : undefined
    })
    const problems = await booksProblems((statement) => this.rows(statement))
    if (problems.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(problems)}`)
  }
}

/** The service that tests of many files use one after the other, and the place where it is kept. */
interface Used {
  readonly it: TestService
}

/** The service with the settings that most tests use; each worker starts one, for the first file that asks. */
let shared: Promise<TestService> | undefined

const usedBy = (
  start: () => Promise<TestService>,
  end: (service: TestService) => Promise<void> | void
): Used => {
  let started: TestService | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => {
    if (started === undefined) return
    await started.checkBooks()
    await end(started)
  })
  return {
    get it() {
      if (started === undefined) throw new Error("the service is not started yet")
      return started
    }
  }
}

/**
 * The service that all test files with the same needs share: started by the first, its books checked after each. It has
 * executions, organizations and audit entries of other files. It ends with its worker.
 */
export const useService = (): Used =>
  usedBy(
    async () => {
      const service = await (shared ??= TestService.start({}, inject("folder")))
      // What earlier files guessed wrong is not held against this one.
      await service.rows("delete from rate_windows")
      return service
    },
    (service) => service.gates.closeAll()
  )

/** A service for the tests of a file alone: started before them, its books checked and stopped after them. */
export const useOwnService = (settings: Record<string, string> = {}): Used =>
  usedBy(
    () => TestService.start(settings),
    (service) => service.stop()
  )
