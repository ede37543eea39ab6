import { Duration, Effect, Schema, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { Execution } from "../domain/Execution.ts"
import { FlowDetail, FlowItem } from "../domain/FlowItem.ts"
import { OutputDiff, type ReplayRequest } from "../domain/Replay.ts"
import type { RunRequest } from "../domain/RunRequest.ts"
import { call, type ClientOptions } from "./Call.ts"
import type { ApiFailure } from "./ClientFailures.ts"
import { type ClientEvent, follow } from "./FollowEvents.ts"
import { awaitEnd } from "./Polling.ts"

/** A page of flows. */
const FlowPage = Schema.Struct({
  flows: Schema.Array(FlowItem),
  total: Schema.Int,
  limit: Schema.Int,
  offset: Schema.Int
})
export type FlowPage = typeof FlowPage.Type

export interface CallOptions {
  /** Stops waiting for the answer; an execution goes on. */
  readonly signal?: AbortSignal
}

export interface WaitOptions extends CallOptions {
  /** How long to wait for the end, in milliseconds; ten minutes when absent. */
  readonly longestMs?: number
}

const defaultLongest = Duration.toMillis(Duration.minutes(10))

/**
 * Calls a docflow service. What the service refuses rejects with `ApiFailure`, what does not arrive with
 * `ConnectionFailure`.
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

  /** Lists the flows, newest first. */
  listFlows(
    page: { readonly limit?: number; readonly offset?: number } = {},
    options: CallOptions = {}
  ): Promise<FlowPage> {
    const query = new URLSearchParams(
      Object.entries(page).map(([name, value]): [string, string] => [name, String(value)])
    )
    return Effect.runPromise(this.#get(`/flows?${query}`, FlowPage), options)
  }

  /** Reads a flow: the version, or the latest. */
  getFlow(
    flowId: string,
    { version, ...options }: CallOptions & { readonly version?: string } = {}
  ): Promise<FlowDetail> {
    const query = version === undefined ? "" : `?version=${encodeURIComponent(version)}`
    return Effect.runPromise(this.#get(`/flows/${encodeURIComponent(flowId)}${query}`, FlowDetail), options)
  }

  /** Runs a flow: returns at once, or with `wait: true` when it has ended. A failed execution is an answer, not an error. */
  run(flowId: string, request: RunRequest, options: CallOptions = {}): Promise<Execution> {
    return Effect.runPromise(this.#run(flowId, request), options)
  }

  /** Runs a flow and waits for its end, however the service has to be asked for it. */
  runToEnd(
    flowId: string,
    request: RunRequest,
    { longestMs = defaultLongest, ...options }: WaitOptions = {}
  ): Promise<Execution> {
    const poll = (executionId: string) => this.#poll(executionId, longestMs)
    return Effect.runPromise(
      this.#run(flowId, { ...request, wait: true }).pipe(
        Effect.catchTag("ApiFailure", (failure) => {
          const executionId = stillRunning(failure)
          return executionId === undefined ? Effect.fail(failure) : poll(executionId)
        })
      ),
      options
    )
  }

  /** Reads an execution; `include` adds its artifacts or metrics. */
  get(
    executionId: string,
    {
      include = [],
      ...options
    }: CallOptions & { readonly include?: ReadonlyArray<"artifacts" | "metrics"> } = {}
  ): Promise<Execution> {
    return Effect.runPromise(this.#execution(executionId, include), options)
  }

  /** Asks for an execution until it has ended; rejects with `WaitTimeout` when that takes too long. */
  waitFor(
    executionId: string,
    { longestMs = defaultLongest, ...options }: WaitOptions = {}
  ): Promise<Execution> {
    return Effect.runPromise(this.#poll(executionId, longestMs), options)
  }

  /** Cancels an execution; rejects with the code `ALREADY_CANCELLED` or `NOT_CANCELLABLE` when it has ended. */
  cancel(executionId: string, options: CallOptions = {}): Promise<Execution> {
    return Effect.runPromise(
      call(this.#options, {
        method: "POST",
        path: `/runs/${encodeURIComponent(executionId)}/cancel`,
        answer: Execution,
        repeatable: false
      }),
      options
    )
  }

  /**
   * The events of an execution until it has ended, the last of them with what `get` returns. Goes on where it was when
   * the connection breaks; `after` is the id of the last event that is known already.
   */
  events(executionId: string, { after }: { readonly after?: string } = {}): AsyncIterable<ClientEvent> {
    return Stream.toAsyncIterable(follow(this.#options, executionId, after))
  }

  /** Runs an execution again from a step, with the same document: a new execution. */
  replay(executionId: string, request: ReplayRequest = {}, options: CallOptions = {}): Promise<Execution> {
    return Effect.runPromise(this.#post(`/runs/${encodeURIComponent(executionId)}/replay`, request), options)
  }

  /** How the outputs of two executions differ. */
  diff(executionId: string, otherId: string, options: CallOptions = {}): Promise<OutputDiff> {
    const path = `/runs/${encodeURIComponent(executionId)}/diff/${encodeURIComponent(otherId)}`
    return Effect.runPromise(this.#get(path, OutputDiff), options)
  }

  #run(flowId: string, request: RunRequest) {
    return this.#post(`/flows/${encodeURIComponent(flowId)}/run`, request)
  }

  /** Makes an execution. Without a key of the caller's it gets one, so that it can be sent again. */
  #post(path: string, request: RunRequest | ReplayRequest) {
    return Effect.flatMap(
      Effect.sync(() => randomUUID()),
      (idempotencyKey) =>
        call(this.#options, {
          method: "POST",
          path,
          body: { idempotencyKey, ...request },
          answer: Execution,
          repeatable: true
        })
    )
  }

  #poll(executionId: string, longestMs: number) {
    return awaitEnd(executionId, this.#execution(executionId), Duration.millis(longestMs))
  }

  #execution(executionId: string, include: ReadonlyArray<string> = []) {
    const query = include.length === 0 ? "" : `?include=${include.join(",")}`
    return this.#get(`/runs/${encodeURIComponent(executionId)}${query}`, Execution)
  }

  #get<A>(path: string, answer: Schema.ConstraintCodec<A, unknown>) {
    return call(this.#options, { method: "GET", path, answer, repeatable: true })
  }
}

/** The execution that a wait was too short for. */
const stillRunning = ({ code, details }: ApiFailure): string | undefined => {
  const executionId = code === "EXECUTION_TIMEOUT" ? details?.["executionId"] : undefined
  return typeof executionId === "string" ? executionId : undefined
}

/** A document for a run, from its bytes. */
export const documentOf = (
  bytes: Uint8Array,
  about: { readonly filename?: string; readonly mimeType?: string } = {}
): RunRequest["input"]["document"] => ({ base64: Buffer.from(bytes).toString("base64"), ...about })
