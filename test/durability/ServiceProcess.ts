import { Effect, Schema, UndefinedOr } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { defined } from "../../src/support/Defined.ts"
import { fetchWhileBusy } from "../support/WhileBusy.ts"

/** The admin token of these processes. */
export const adminTokenOfProcess = "durability-test-admin-token"

/** A service in a process of its own, as `npm start` runs it. */
export class ServiceProcess {
  /** Like `http://127.0.0.1:40123`. */
  readonly address: string
  readonly #child: ChildProcess
  readonly #errors: ReadonlyArray<string>

  constructor(address: string, child: ChildProcess, errors: ReadonlyArray<string>) {
    this.address = address
    this.#child = child
    this.#errors = errors
  }

  /** The number of its process. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** What it has logged so far. */
  get logs(): string {
    return this.#errors.join("")
  }

  /** Starts the service with these settings on a free port; resolves when it is ready. Without a program: that of the clone. */
  static async start(
    settings: Record<string, string>,
    { args, cwd }: { readonly args: ReadonlyArray<string>; readonly cwd?: string } = {
      args: ["src/main.ts"]
    }
  ): Promise<ServiceProcess> {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, DOCFLOW_PORT: "0", DOCFLOW_ADMIN_TOKEN: adminTokenOfProcess, ...settings },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const errors: Array<string> = []
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()))
    const lines = createInterface({ input: child.stdout })
    const address = await new Promise<string>((resolve, reject) => {
      lines.on("line", (line) => {
        const found = /ready on (https?:\/\/[^/]+)/u.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.on("exit", (code) =>
        reject(new Error(`the service ended with ${code} before it was ready:\n${errors.join("")}`))
      )
    })
    return new ServiceProcess(address, child, errors)
  }

  /** Ends the process and waits until it is gone; the exit code, or null when the signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill(signal)
      await once(this.#child, "exit")
    }
    return this.#child.exitCode
  }

  /** Calls the API or, with a path below `/api/admin/v1`, the administration API. */
  async call(method: string, path: string, options: { key?: string; body?: unknown } = {}): Promise<Answer> {
    const response = await fetchWhileBusy(this.address + path, {
      method,
      headers: {
        authorization: `Bearer ${options.key ?? adminTokenOfProcess}`,
        ...(options.body === undefined ? {} : { "content-type": "application/json" })
      },
      ...defined({ body: UndefinedOr.map(options.body, (value) => JSON.stringify(value)) })
    })
    return {
      status: response.status,
      headers: response.headers,
      body: await decodeBody(await response.json())
    }
  }

  /** Makes an organization with 1,000 credits that may run many executions at once, and a key of it. */
  async makeOrganization(settings: Record<string, number | string> = {}): Promise<Tenant> {
    const organization = await this.call("POST", "/api/admin/v1/organizations", {
      body: {
        name: "durable",
        plan: "enterprise",
        credits: 10_000,
        requestsPerMinute: 100_000,
        concurrentExecutions: 1000,
        ...settings
      }
    })
    const key = await this.call("POST", `/api/admin/v1/organizations/${organization.body.id}/keys`, {
      body: {
        name: "k",
        environment: "live",
        scopes: ["flows:read", "flows:execute", "executions:read", "executions:cancel"]
      }
    })
    return { organizationId: organization.body.id, key: key.body.key }
  }
}

/** What these tests read of answers; what an answer does not have is empty. */
const text = Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
const number = Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
const Body = Schema.Struct({
  id: text,
  key: text,
  status: text,
  total: number,
  progress: Schema.Struct({ percentage: number }).pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  credits: Schema.Struct({ balance: number, reserved: number }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed({}))
  ),
  entries: Schema.Array(
    Schema.Struct({ kind: Schema.String, amount: Schema.Finite, executionId: text })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  executions: Schema.Array(
    Schema.Struct({ id: text, status: text, error: Schema.optionalKey(Schema.Unknown) })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  error: Schema.Struct({ code: text, message: text }).pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
})
const decodeBody = Schema.decodeUnknownPromise(Body)

/** An answer of the service. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: typeof Body.Type
}

/** An organization and its live key. */
export interface Tenant {
  readonly organizationId: string
  readonly key: string
}
