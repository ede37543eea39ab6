import { setTimeout as sleep } from "node:timers/promises"
import type { Tenant } from "../durability/ServiceProcess.ts"
import type { ChaosNode } from "./ChaosNode.ts"
import type { Findings } from "./Findings.ts"

const statusOf = async (response: Promise<Response>): Promise<{ status: number; text: string }> => {
  try {
    const answer = await response
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: 0, text: "" }
  }
}

/** Clients of three nodes that post runs, again until one is accepted, and look at those that were. */
export class Clients {
  readonly #nodes: ReadonlyArray<ChaosNode>
  readonly #tenant: Tenant
  readonly #findings: Findings
  readonly #accepted: Array<string> = []

  constructor(nodes: ReadonlyArray<ChaosNode>, tenant: Tenant, findings: Findings) {
    this.#nodes = nodes
    this.#tenant = tenant
    this.#findings = findings
  }

  async #send(node: number, method: string, path: string, body?: string) {
    const sentAt = performance.now()
    const answer = await statusOf(
      fetch(`${this.#nodes[node % this.#nodes.length]?.address}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#tenant.key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(15_000)
      })
    )
    this.#findings.answered(answer.status, answer.text)
    this.#findings.asked(node % this.#nodes.length, answer.status === 200, sentAt)
    return answer
  }

  /** Posts a run with an idempotency key to one node after the other until one accepts it. */
  async post(base64: string, webhookUrl: string, number: number): Promise<void> {
    const idempotencyKey = `chaos-${number}`
    const body = JSON.stringify({ input: { document: { base64 } }, idempotencyKey, webhookUrl })
    for (let attempt = 0; ; attempt++) {
      const { status, text } = await this.#send(number + attempt, "POST", "/flows/chaos/run", body)
      const id = status === 200 ? /"id":"([^"]+)"/u.exec(text)?.[1] : undefined
      if (id !== undefined) {
        this.#accepted.push(id)
        return this.#findings.accepted(id)
      }
      await sleep(200)
    }
  }

  /** Looks at what was accepted, at one node after the other, until `isOver`. */
  async look(isOver: () => boolean): Promise<void> {
    for (let look = 0; !isOver(); look++) {
      const id = this.#accepted[(look * 7) % Math.max(1, this.#accepted.length)]
      await this.#send(look, "GET", id === undefined ? "/flows" : `/runs/${id}`)
      await sleep(200)
    }
  }

  /** Asks each node whether it is ready, until `isOver`. */
  async watch(isOver: () => boolean): Promise<void> {
    await Promise.all(
      this.#nodes.map(async ({ address }, node) => {
        while (!isOver()) {
          const { status } = await statusOf(
            fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(5_000) })
          )
          this.#findings.saidReady(node, status === 200)
          await sleep(250)
        }
      })
    )
  }
}
