import { at } from "../../support/Json.ts"
import { defined } from "../../../src/support/Defined.ts"

/** An event as it arrived. */
export interface Arrived {
  readonly id: string | undefined
  readonly event: string
  readonly data: unknown
}

/** A stream of events that a test follows, as a client of the API does. */
export class EventClient {
  readonly status: number
  readonly headers: Headers
  /** Every comment line, without its colon. */
  readonly comments: Array<string> = []
  readonly #response: Response
  readonly #abort: AbortController

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status
    this.headers = response.headers
    this.#response = response
    this.#abort = abort
  }

  /** Asks for the events of an execution at the service at `address`, after the event with the id `after`. */
  static async open(address: string, key: string, executionId: string, after?: string): Promise<EventClient> {
    const abort = new AbortController()
    const response = await fetch(`${address}/api/v1/runs/${executionId}/events`, {
      headers: {
        authorization: `Bearer ${key}`,
        ...defined({ "last-event-id": after })
      },
      signal: abort.signal
    })
    return new EventClient(response, abort)
  }

  /** Goes away without a word. */
  disconnect(): void {
    this.#abort.abort()
  }

  /** The body of an answer that is no stream. */
  json(): Promise<unknown> {
    return this.#response.json()
  }

  /** The events as they come, until the stream ends. */
  async *events(): AsyncGenerator<Arrived> {
    const decoder = new TextDecoder()
    let text = ""
    for await (const chunk of this.#response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const event = this.#read(block)
        if (event !== undefined) yield event
      }
    }
    if (text !== "") throw new Error(`the stream broke off inside an event: ${text}`)
  }

  /** Every event up to the end of the stream. */
  async all(): Promise<ReadonlyArray<Arrived>> {
    const found: Array<Arrived> = []
    for await (const event of this.events()) found.push(event)
    return found
  }

  /** The events up to the first that is wanted; the stream is left then. */
  async until(wanted: (event: Arrived) => boolean): Promise<ReadonlyArray<Arrived>> {
    const found: Array<Arrived> = []
    for await (const event of this.events()) {
      found.push(event)
      if (wanted(event)) return found
    }
    throw new Error(`the stream ended before what was wanted: ${JSON.stringify(found)}`)
  }

  #read(block: string): Arrived | undefined {
    const fields = new Map<string, string>()
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) this.comments.push(line.slice(1).trim())
      const [, name, value] = /^(\w+): ?(.*)$/u.exec(line) ?? []
      if (name !== undefined) fields.set(name, value ?? "")
    }
    const data = fields.get("data")
    if (data === undefined) return undefined
    return { id: fields.get("id"), event: fields.get("event") ?? "message", data: JSON.parse(data) }
  }
}

/** What of the flow was done at each event that says so. */
export const percentagesOf = (events: ReadonlyArray<Arrived>): ReadonlyArray<number> =>
  events.flatMap(({ data }) => {
    const percentage = at(data, "percentage")
    return typeof percentage === "number" ? [percentage] : []
  })

/** Whether no number is smaller than the one before. */
export const rises = (numbers: ReadonlyArray<number>): boolean =>
  numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0))
