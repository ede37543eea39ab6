/** One event of a stream. */
export interface ServerSentEvent {
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
export async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
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
