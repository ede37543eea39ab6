import { DocflowClient, documentOf } from "../../src/client/index.ts"
import type { Findings } from "./Findings.ts"

/** A document of 19 MB, or of a page. */
interface Documents {
  readonly large: Uint8Array
  readonly small: Uint8Array
}

/** What callers do: wait for the result, follow the events, or send a large document. */
type Kind = "wait" | "events" | "upload"
const kinds: ReadonlyArray<Kind> = ["upload", "wait", "events", "wait", "events", "wait", "events"]

/** Callers who use docflow's client behind a proxy, as it is after `new DocflowClient`: it sends requests again four times. */
export class Callers {
  /** How many responses of each kind of caller had which status, or which failure of the connection. */
  readonly answers: Record<string, number> = {}
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #findings: Findings
  readonly #documents: Documents

  constructor(baseUrl: string, apiKey: string, findings: Findings, documents: Documents) {
    this.#baseUrl = baseUrl
    this.#apiKey = apiKey
    this.#findings = findings
    this.#documents = documents
  }

  #client(kind: Kind): DocflowClient {
    const count = (what: string) => {
      const name = `${kind} ${what}`
      this.answers[name] = (this.answers[name] ?? 0) + 1
    }
    return new DocflowClient({
      apiKey: this.#apiKey,
      baseUrl: this.#baseUrl,
      fetch: async (url, init) => {
        try {
          const response = await fetch(url, init)
          const text = response.ok ? "" : await response.clone().text()
          count(`${response.status} ${/"message":"([^"]*)"/u.exec(text)?.[1] ?? ""}`.trim())
          return response
        } catch (error) {
          count("broken")
          throw error
        }
      }
    })
  }

  /** The execution's id, once it has ended. */
  async #runToEnd(kind: Kind, number: number, webhookUrl: string): Promise<string> {
    const client = this.#client(kind)
    const document = documentOf(this.#documents[kind === "upload" ? "large" : "small"])
    const request = { input: { document }, webhookUrl, idempotencyKey: `caller-${number}` }
    if (kind !== "events") {
      const { id, output, status } = await client.runToEnd("chaos", request)
      if (JSON.stringify(output) !== '{"pages":1}') throw new Error(`${status}: ${JSON.stringify(output)}`)
      return id
    }
    const { id } = await client.run("chaos", request)
    const seen: Array<number> = []
    let last = ""
    for await (const event of client.events(id)) {
      if (event.id !== undefined) seen.push(Number(event.id))
      last = event.event
    }
    if (last !== "execution.completed") throw new Error(`the last event of ${id} was ${last}`)
    if (seen.some((seq, index) => index > 0 && seq <= (seen[index - 1] ?? 0)))
      throw new Error(`events of ${id} came twice or out of order: ${seen.join(", ")}`)
    return id
  }

  /** One caller with one document; a failure that the caller sees is a finding. */
  async call(number: number, webhookUrl: string): Promise<void> {
    const kind = kinds[number % kinds.length] ?? "wait"
    try {
      this.#findings.accepted(await this.#runToEnd(kind, number, webhookUrl))
    } catch (error) {
      this.#findings.failed(`${kind} ${number}: ${error instanceof Error ? error.message : "failed"}`)
    }
  }
}
