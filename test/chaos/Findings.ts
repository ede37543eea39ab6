import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import type { Received } from "../services/webhooks/Receiver.ts"
import { booksProblems } from "../support/Books.ts"

/** The webhook ids that a receiver got, by execution. */
const toldOf = (received: ReadonlyArray<Received>): ReadonlyMap<string, ReadonlySet<string>> => {
  const told = new Map<string, Set<string>>()
  for (const { body, headers } of received) {
    const [id = ""] = /exec_[0-9A-Za-z]+/u.exec(body.toString()) ?? []
    told.set(id, (told.get(id) ?? new Set()).add(String(headers["webhook-id"])))
  }
  return told
}

/** How long a process may say that it is ready while requests to it fail. */
const mostReadyMs = 15_000

/** What clients were answered, and what the database says afterwards. */
export class Findings {
  /** How many answers had which status and message; 0 stands for a connection that broke. */
  readonly answers: Record<string, number> = {}
  readonly #ids = new Set<string>()
  readonly #bad: Array<string> = []
  /** The longest time for which a process said that it is ready while requests to it failed, in milliseconds. */
  readyWhileFailing = 0
  /** Since when requests to a node fail, as far as it has not said that it is not ready. */
  readonly #failingSince = new Map<number, number>()
  readonly #url: () => string

  constructor(url: () => string) {
    this.#url = url
  }

  /** A node answered a request that was sent at a time of `performance.now`, or failed to. */
  asked(node: number, isServed: boolean, sentAt: number): void {
    if (isServed) this.#failingSince.delete(node)
    else if (!this.#failingSince.has(node)) this.#failingSince.set(node, sentAt)
  }

  /** A node said whether it is ready. */
  saidReady(node: number, isReady: boolean): void {
    const now = performance.now()
    const since = this.#failingSince.get(node)
    if (since === undefined) return
    if (isReady) this.readyWhileFailing = Math.max(this.readyWhileFailing, now - since)
    else this.#failingSince.set(node, now)
  }

  /** Something that must not happen. */
  failed(what: string): void {
    this.#bad.push(what)
  }

  answered(status: number, text: string): void {
    const [, message = ""] = status === 200 ? [] : (/"message":"([^"]*)"/u.exec(text) ?? [])
    const kind = `${status} ${message}`.trim()
    this.answers[kind] = (this.answers[kind] ?? 0) + 1
    const isEnvelope = status === 0 || status === 200 || text.includes('"error":{"code"')
    if (status === 500 || !isEnvelope) this.#bad.push(`answered ${status}: ${text.slice(0, 200)}`)
  }

  accepted(id: string): void {
    this.#ids.add(id)
  }

  readonly #rows = (statement: string): Promise<ReadonlyArray<object>> =>
    Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<object>(statement)).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(this.#url()), maxConnections: 1 })),
        Effect.retry({ times: 20, schedule: Schedule.spaced("500 millis") })
      )
    )

  /** Waits until no execution is unfinished, up to a number of seconds. */
  async waitForEnd(seconds: number): Promise<void> {
    for (let waited = 0; waited < seconds; waited++) {
      const open = await this.#rows("select 1 from executions where status in ('pending', 'running') limit 1")
      if (open.length === 0) return
      await sleep(1_000)
    }
  }

  /** Waits until every execution was told of, at most so many seconds: a delivery of a dead process waits for its lease. */
  async waitForWebhooks(seconds: number, received: ReadonlyArray<Received>): Promise<void> {
    for (let waited = 0; waited < seconds; waited++) {
      const told = toldOf(received)
      if ([...this.#ids].every((id) => told.has(id))) return
      await sleep(1_000)
    }
  }

  /** What the receiver of the webhooks did not get, or got twice: under more than one webhook id. */
  webhookProblems(received: ReadonlyArray<Received>): ReadonlyArray<string> {
    const told = toldOf(received)
    return [...this.#ids].flatMap((id) => {
      const webhooks = told.get(id)?.size ?? 0
      return webhooks === 1 ? [] : [`${webhooks} webhook ids were received for ${id}`]
    })
  }

  /** Everything that must not be: lost, failed, charged twice, told twice, answered 500. */
  async problems(expected: number): Promise<ReadonlyArray<string>> {
    const found = [...this.#bad]
    if (this.readyWhileFailing > mostReadyMs)
      found.push(`a process was ready for ${Math.round(this.readyWhileFailing)} ms while requests failed`)
    if (this.#ids.size !== expected) found.push(`${this.#ids.size} executions were accepted, not ${expected}`)
    const kept = await this.#rows("select id, status, error::text from executions")
    const missing = this.#ids.size - kept.length
    if (missing !== 0) found.push(`${kept.length} executions are kept, ${this.#ids.size} were accepted`)
    for (const row of kept) {
      if (!("status" in row) || row.status !== "completed")
        found.push(`not completed: ${JSON.stringify(row)}`)
    }
    const hooks = await this.#rows(
      "select e.id, count(d.number)::int as webhooks from executions e left join deliveries d on d.execution_id = e.id " +
        "where e.status = 'completed' group by e.id having count(d.number) <> 1"
    )
    if (hooks.length > 0) found.push(`not one webhook: ${JSON.stringify(hooks)}`)
    const books = await booksProblems(this.#rows)
    return [...found, ...books.map((problem) => JSON.stringify(problem))]
  }
}
