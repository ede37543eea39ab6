import {
  backoff,
  type CallOptions,
  type ClientOptions,
  failureOf,
  fetched,
  isPassing,
  limited
} from "./Call.ts"
import { ConnectionFailure } from "./ClientFailures.ts"
import type { ClientEvent } from "./ClientTypes.ts"
import { infoOf } from "./ResponseInfo.ts"
import { sleep } from "./Waiting.ts"

/** One event of a stream. */
interface ServerSentEvent {
  readonly event: string
  readonly data: string
  readonly id: string | undefined
}

const fieldsOf = (block: string): ServerSentEvent | undefined => {
  let [event, id]: [string, string | undefined] = ["message", undefined]
  const data: Array<string> = []
  for (const line of block.split(/\r\n|\r|\n/u)) {
    const [, name = "", value = ""] = /^([^:]+)(?:: ?(.*))?$/u.exec(line) ?? []
    if (name === "event") event = value
    else if (name === "id") id = value
    else if (name === "data") data.push(value)
  }
  return data.length === 0 ? undefined : { event, data: data.join("\n"), id }
}

const blockEnd = /\r\n\r\n|\n\n|\r\r/u

/** Reads server-sent events (WHATWG HTML, 9.2) from a body; comments and events without data are left out. */
async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      for (let end = blockEnd.exec(rest); end !== null; end = blockEnd.exec(rest)) {
        const event = fieldsOf(rest.slice(0, end.index))
        rest = rest.slice(end.index + end[0].length)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const pause = 1_000

const isEnd = ({ event }: ClientEvent): boolean =>
  event === "execution.completed" || event === "execution.failed" || event === "execution.cancelled"

/** Opens the stream after the last known event; retries if that helps. */
const open = async (
  options: ClientOptions,
  path: string,
  last: string,
  { retries = options.retries ?? 4, signal, timeoutMs = options.timeoutMs ?? 120_000 }: CallOptions,
  whole: AbortSignal
): Promise<ReadableStream<Uint8Array> | undefined> => {
  const headers: Record<string, string> = last === "" ? {} : { "last-event-id": last }
  for (let count = 0; ; count++) {
    try {
      // The time limit applies to the head of the response: the stream lasts as long as the execution.
      const response = await limited({ signal, timeoutMs }, (limit) => {
        const controller = new AbortController()
        limit.addEventListener("abort", () => controller.abort(limit.reason), { once: true })
        whole.addEventListener("abort", () => controller.abort(whole.reason), { once: true })
        return fetched(options, path, { headers }, controller.signal)
      })
      if (!response.ok) throw failureOf(await response.text(), infoOf(response))
      return response.status === 204 ? undefined : (response.body ?? undefined)
    } catch (failure) {
      if (signal?.aborted === true || count >= retries || !isPassing(failure, true)) throw failure
      await sleep(await backoff(failure, count), signal)
    }
  }
}

const eventOf = (data: string, event: string, id: string | undefined): ClientEvent => {
  try {
    const parsed: ClientEvent["data"] = JSON.parse(data)
    return id === undefined ? { event, data: parsed } : { id, event, data: parsed }
  } catch (cause) {
    throw new ConnectionFailure("The answer does not come from docflow", { cause })
  }
}

/**
 * The events of an execution until it has ended. A stream that breaks off is opened again after the last event that
 * arrived, so each event of the log arrives once.
 */
export async function* follow(
  options: ClientOptions,
  executionId: string,
  { after = "", ...callOptions }: CallOptions & { readonly after?: string }
): AsyncGenerator<ClientEvent, void> {
  const path = `/runs/${encodeURIComponent(executionId)}/events`
  const { signal } = callOptions
  let last = after
  const whole = new AbortController()
  const abort = () => whole.abort(signal?.reason)
  signal?.addEventListener("abort", abort, { once: true })
  try {
    for (;;) {
      const body = await open(options, path, last, callOptions, whole.signal)
      if (body === undefined) return
      const events = parseEvents(body)
      for (;;) {
        // Only a broken connection is caught: what the caller throws between two events is passed on.
        const next = await events.next().catch(() => undefined)
        if (signal?.aborted === true) throw signal.reason
        if (next === undefined || next.done === true) break
        const { data, event, id } = next.value
        const one = eventOf(data, event, id)
        if (id !== undefined) last = id
        yield one
        if (isEnd(one)) return
      }
      await sleep(pause, signal)
    }
  } finally {
    signal?.removeEventListener("abort", abort)
    whole.abort()
  }
}
