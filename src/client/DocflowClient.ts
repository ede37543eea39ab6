import { call, type CallOptions, type ClientOptions } from "./Call.ts"
import { ApiFailure } from "./ClientFailures.ts"
import type {
  Backtest,
  ClientEvent,
  Corrections,
  DocumentInput,
  Execution,
  ExecutionFilter,
  ExecutionPage,
  ExportedCase,
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
  /** Time limit of the wait for the end, in milliseconds. Default: ten minutes. */
  readonly longestMs?: number
}

const defaultLongest = 600_000
const pageSize = 100
const correctionMembers = ["ifMatch", "values", "confirmed"]
const executionMembers = ["id", "flowId", "status"]

/**
 * Calls a docflow service. A call rejects with `ApiFailure` if the service refuses it, with `ConnectionFailure` if the
 * connection fails, and with the reason of the signal if the caller aborts it. `responseOf` returns the request id, the
 * headers and the rate state of a response.
 *
 * ```ts
 * const docflow = new DocflowClient({ apiKey: process.env.DOCFLOW_KEY ?? "" })
 * const document = documentOf(await readFile("invoice.pdf"))
 * const { output, status } = await docflow.runToEnd("invoice", { input: { document } })
 * ```
 *
 * Temporarily refused requests (429, 503) and requests whose connection failed are sent again, after the time that the
 * service asks for. Work is never done twice: a run without an `idempotencyKey` gets one for each call.
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

  /**
   * Runs a flow: returns immediately, or with `wait: true` after it has ended. A failed execution is a result, not an
   * error.
   */
  run<Output = unknown>(
    flowId: string,
    request: RunRequest,
    options: CallOptions = {}
  ): Promise<Execution<Output>> {
    return this.#post(`/flows/${encodeURIComponent(flowId)}/run`, request, options)
  }

  /** Runs a flow and waits for its end, by polling if necessary. */
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

  /** Polls an execution until it has ended; rejects with `WaitTimeout` after the time limit. */
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
   * The events of an execution until it has ended, the last of them with what `get` returns. Resumes after a broken
   * connection; `after` is the id of the last known event.
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

  /** The corrected and confirmed values of an execution as a test set, with the document if the organization allows that. */
  testSet(executionId: string, options: CallOptions = {}): Promise<ExportedCase> {
    return this.#get(`/runs/${encodeURIComponent(executionId)}/test-set`, ["name", "text"], options)
  }

  /** Runs a part of a flow's corrected executions again with a version; repeat it until none is `running`. */
  backtest(
    flowId: string,
    query: { readonly version?: string; readonly after?: string; readonly limit?: number } = {},
    options: CallOptions = {}
  ): Promise<Backtest> {
    const path = `/flows/${encodeURIComponent(flowId)}/backtest?${queryOf(query).toString()}`
    const answer = ["version", "total", "executions", "next"]
    return call(this.#options, { method: "POST", path, answer, repeatable: true }, options)
  }

  /** Corrects or confirms values of an execution; rejects with the status 409 if `ifMatch` is not the latest revision. */
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

  /** Creates an execution. Without an idempotency key it gets one, so that the request can be sent again. */
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

/** The execution that continues after a wait timed out. */
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
  // In chunks: the number of arguments of a call is limited.
  for (let start = 0; start < bytes.length; start += 32_768)
    binary += String.fromCharCode(...bytes.subarray(start, start + 32_768))
  return { base64: btoa(binary), ...about }
}
