import { call, type CallOptions, type ClientOptions } from "./Call.ts"
import { ApiFailure } from "./ClientFailures.ts"
import type {
  ClientEvent,
  Corrections,
  DocumentInput,
  Execution,
  ExecutionFilter,
  ExecutionPage,
  FlowDetail,
  FlowItem,
  FlowPage,
  OutputDiff,
  ReplayRequest,
  RunRequest,
  SaveCorrections
} from "./ClientTypes.ts"
import { follow } from "./FollowEvents.ts"
import { awaitEnd } from "./Polling.ts"
import { randomHex } from "./Waiting.ts"

export interface WaitOptions extends CallOptions {
  /** How long to wait for the end, in milliseconds. Default: ten minutes. */
  readonly longestMs?: number
}

const defaultLongest = 600_000
const pageSize = 100
const correctionMembers = ["ifMatch", "values", "confirmed"]
const executionMembers = ["id", "flowId", "status"]

/**
 * Calls a docflow service. What the service refuses rejects with `ApiFailure`, what does not arrive with
 * `ConnectionFailure`, what the caller aborts with the reason of its signal. `responseOf` tells the request id, the headers
 * and the rate state of an answer.
 *
 * ```ts
 * const docflow = new DocflowClient({ apiKey: process.env.DOCFLOW_KEY ?? "" })
 * const document = documentOf(await readFile("invoice.pdf"))
 * const { output, status } = await docflow.runToEnd("invoice", { input: { document } })
 * ```
 *
 * Requests that the service refuses for the moment (429, 503), or that failed on the way, are sent again, as late as it
 * asks for. That never does the work twice: a run without an `idempotencyKey` gets one of its own for each call.
 */
export class DocflowClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Lists one page of the flows, newest first. */
  listFlows(
    page: { readonly limit?: number; readonly offset?: number } = {},
    options: CallOptions = {}
  ): Promise<FlowPage> {
    return this.#get(`/flows?${queryOf(page)}`, ["flows", "total"], options)
  }

  /** All flows, newest first, page by page. */
  async *flows(options: CallOptions = {}): AsyncGenerator<FlowItem, void> {
    for (let offset = 0; ; offset += pageSize) {
      const { flows, total } = await this.listFlows({ limit: pageSize, offset }, options)
      yield* flows
      if (flows.length === 0 || offset + flows.length >= total) return
    }
  }

  /** Reads a flow: the version, or the latest. */
  getFlow(
    flowId: string,
    { version, ...options }: CallOptions & { readonly version?: string } = {}
  ): Promise<FlowDetail> {
    const query = version === undefined ? "" : `?version=${encodeURIComponent(version)}`
    return this.#get(`/flows/${encodeURIComponent(flowId)}${query}`, ["id", "schema"], options)
  }

  /** Runs a flow: returns at once, or with `wait: true` when it has ended. A failed execution is an answer, not an error. */
  run<Output = unknown>(
    flowId: string,
    request: RunRequest,
    options: CallOptions = {}
  ): Promise<Execution<Output>> {
    return this.#post(`/flows/${encodeURIComponent(flowId)}/run`, request, options)
  }

  /** Runs a flow and waits for its end, however the service has to be asked for it. */
  async runToEnd<Output = unknown>(
    flowId: string,
    request: RunRequest,
    { longestMs = defaultLongest, ...options }: WaitOptions = {}
  ): Promise<Execution<Output>> {
    try {
      return await this.run<Output>(flowId, { ...request, wait: true }, options)
    } catch (failure) {
      const executionId = stillRunning(failure)
      if (executionId === undefined) throw failure
      return this.waitFor<Output>(executionId, { longestMs, ...options })
    }
  }

  /** Reads an execution; `include` adds its artifacts, corrections, the places of its fields, or metrics. */
  get<Output = unknown>(
    executionId: string,
    { include = [], ...options }: CallOptions & { readonly include?: ReadonlyArray<string> } = {}
  ): Promise<Execution<Output>> {
    const query = include.length === 0 ? "" : `?include=${include.map(encodeURIComponent).join(",")}`
    return this.#get(`/runs/${encodeURIComponent(executionId)}${query}`, executionMembers, options)
  }

  /** Lists one page of the executions that the key may see, newest first, without their outputs. */
  listExecutions(
    filter: ExecutionFilter & { readonly limit?: number; readonly cursor?: string } = {},
    options: CallOptions = {}
  ): Promise<ExecutionPage> {
    const { metadata = {}, ...rest } = filter
    const wanted = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value])
    const query = queryOf({ ...rest, ...Object.fromEntries(wanted) })
    return this.#get(`/runs?${query}`, ["executions", "nextCursor"], options)
  }

  /** All executions that the key may see, newest first, page by page, without their outputs. */
  async *executions(
    filter: ExecutionFilter = {},
    options: CallOptions = {}
  ): AsyncGenerator<Execution, void> {
    for (let cursor: string | undefined; ;) {
      const page = await this.listExecutions(
        { ...filter, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) },
        options
      )
      yield* page.executions
      if (page.nextCursor === null) return
      cursor = page.nextCursor
    }
  }

  /** Asks for an execution until it has ended; rejects with `WaitTimeout` when that takes too long. */
  waitFor<Output = unknown>(
    executionId: string,
    { longestMs = defaultLongest, ...options }: WaitOptions = {}
  ): Promise<Execution<Output>> {
    return awaitEnd(executionId, () => this.get<Output>(executionId, options), longestMs, options.signal)
  }

  /** Cancels an execution; rejects with the code `ALREADY_CANCELLED` or `NOT_CANCELLABLE` when it has ended. */
  cancel(executionId: string, options: CallOptions = {}): Promise<Execution> {
    const path = `/runs/${encodeURIComponent(executionId)}/cancel`
    return call(this.#options, { method: "POST", path, answer: executionMembers, repeatable: false }, options)
  }

  /**
   * The events of an execution until it has ended, the last of them with what `get` returns. Goes on where it was when
   * the connection breaks; `after` is the id of the last event that is known already.
   */
  events(
    executionId: string,
    options: CallOptions & { readonly after?: string } = {}
  ): AsyncGenerator<ClientEvent, void> {
    return follow(this.#options, executionId, options)
  }

  /** Runs an execution again from a step, with the same document: a new execution. */
  replay<Output = unknown>(
    executionId: string,
    request: ReplayRequest = {},
    options: CallOptions = {}
  ): Promise<Execution<Output>> {
    return this.#post(`/runs/${encodeURIComponent(executionId)}/replay`, request, options)
  }

  /** How the outputs of two executions differ. */
  diff(executionId: string, otherId: string, options: CallOptions = {}): Promise<OutputDiff> {
    const path = `/runs/${encodeURIComponent(executionId)}/diff/${encodeURIComponent(otherId)}`
    return this.#get(path, ["same", "differences"], options)
  }

  /** What people corrected of an execution, and its output with the right values. */
  corrections<Output = unknown>(
    executionId: string,
    options: CallOptions = {}
  ): Promise<Corrections<Output>> {
    return this.#get(`/runs/${encodeURIComponent(executionId)}/corrections`, correctionMembers, options)
  }

  /** Corrects or confirms values of an execution; rejects with the status 409 when `ifMatch` is not the latest. */
  saveCorrections<Output = unknown>(
    executionId: string,
    body: SaveCorrections,
    options: CallOptions = {}
  ): Promise<Corrections<Output>> {
    const path = `/runs/${encodeURIComponent(executionId)}/corrections`
    return call(
      this.#options,
      { method: "PUT", path, body, answer: correctionMembers, repeatable: false },
      options
    )
  }

  /** Makes an execution. Without a key of the caller's it gets one, so that it can be sent again. */
  async #post<Output>(
    path: string,
    request: RunRequest | ReplayRequest,
    options: CallOptions
  ): Promise<Execution<Output>> {
    const body = { idempotencyKey: await randomHex(16), ...request }
    return call(
      this.#options,
      { method: "POST", path, body, answer: executionMembers, repeatable: true },
      options
    )
  }

  #get<A extends object>(path: string, answer: ReadonlyArray<string>, options: CallOptions): Promise<A> {
    return call(this.#options, { method: "GET", path, answer, repeatable: true }, options)
  }
}

const queryOf = (parameters: object): URLSearchParams =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)])
  )

/** The execution that a wait was too short for. */
const stillRunning = (failure: unknown): string | undefined => {
  if (!(failure instanceof ApiFailure) || failure.code !== "EXECUTION_TIMEOUT") return undefined
  const executionId = failure.details?.["executionId"]
  return typeof executionId === "string" ? executionId : undefined
}

/** A document for a run, from its bytes. */
export const documentOf = (
  bytes: Uint8Array,
  about: { readonly filename?: string; readonly mimeType?: string } = {}
): DocumentInput => {
  let binary = ""
  // In parts: the arguments of a call are limited.
  for (let start = 0; start < bytes.length; start += 32_768)
    binary += String.fromCharCode(...bytes.subarray(start, start + 32_768))
  return { base64: btoa(binary), ...about }
}
