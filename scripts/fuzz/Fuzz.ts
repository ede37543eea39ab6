import * as fc from "fast-check"
import { judgeBy } from "./Judge.ts"
import { type OpenApiDocument, type Operation, readDocument } from "./OpenApiDocument.ts"
import { curlLine, minimize } from "./Reproduction.ts"
import { type FuzzRequest, requestsOf } from "./Requests.ts"
import { type Incoming, type Outgoing, sender } from "./Send.ts"
import type { FuzzedService } from "./Service.ts"

/** What to do. */
export interface FuzzOptions {
  readonly seed: number
  /** For each operation. */
  readonly requests: number
  /** Only this one; all of them when absent. */
  readonly operation?: string
  readonly concurrency?: number
  /** Told now and then how far it is. */
  readonly progress?: (line: string) => void
}

/** An answer that is not as the document says. */
export interface FuzzFailure {
  readonly operation: string
  readonly problem: string
  readonly reproduction: string
}

/** What was found. */
export interface FuzzReport {
  /** How often each operation answered with each status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly failures: ReadonlyArray<FuzzFailure>
}

const chunk = 500
const mostFailures = 5

/** The order in which operations are fuzzed: first those that make what the others ask for, last those that remove it. */
const rank = ({ method, path, requestBody }: Operation): number => {
  if (path.endsWith("/organizations") && method === "POST") return 0
  if (path.endsWith("/run")) return 1
  return method === "DELETE" ? 4 : requestBody === undefined ? 3 : 2
}

/** Fuzzes the operations of the document that a service serves. */
export const fuzz = async (service: FuzzedService, options: FuzzOptions): Promise<FuzzReport> => {
  const document = readDocument(service.openApi)
  const { close, send } = sender(service.address)
  const judge = judgeBy(document)
  const statuses = new Map<string, Map<number, number>>()
  const failures: Array<FuzzFailure> = []
  const wanted = document.operations
    .filter(({ operationId }) => options.operation === undefined || operationId === options.operation)
    .toSorted((a, b) => rank(a) - rank(b))
  if (wanted.length === 0) throw new Error(`there is no operation ${options.operation}`)

  let strangers = 0
  /** Wrong admin tokens come from an address each: their limit would keep the right one out, too. */
  const originOf = (request: FuzzRequest, isAdmin: boolean) =>
    isAdmin && request.caller !== "good"
      ? [["x-forwarded-for", `2001:db8::${(strangers++ % 65_536).toString(16)}`] as const]
      : []

  const outgoing = (request: FuzzRequest): Outgoing => {
    const isAdmin = request.path.startsWith("/api/admin")
    const credential = service.credential(request.caller, isAdmin)
    const query = request.query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    return {
      method: request.method,
      path: service.known.fill(request.path) + (query.length === 0 ? "" : `?${query.join("&")}`),
      headers: [
        ...request.headers,
        ...originOf(request, isAdmin),
        ...(credential === undefined ? [] : [["authorization", `Bearer ${credential}`] as const])
      ],
      body: request.body
    }
  }

  const examine = async (operation: Operation, request: FuzzRequest) => {
    const sent = outgoing(request)
    const answer = await send(sent)
    const problem = judge(operation, sent, answer)
    return { sent, answer, problem }
  }

  const note = (operation: Operation, answer: Incoming): void => {
    const counts = statuses.get(operation.operationId) ?? new Map<number, number>()
    statuses.set(operation.operationId, counts)
    const status = answer._tag === "Answer" ? answer.status : 0
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (answer._tag === "Answer" && answer.status < 300) service.known.learn(answer.body)
  }

  const once = async (operation: Operation, request: FuzzRequest): Promise<void> => {
    const { answer, problem, sent } = await examine(operation, request)
    note(operation, answer)
    const { operationId } = operation
    if (
      problem === undefined ||
      failures.filter((failure) => failure.operation === operationId).length >= mostFailures
    )
      return
    if (failures.some((failure) => failure.operation === operationId && failure.problem === problem)) return
    failures.push({
      operation: operationId,
      problem,
      reproduction: curlLine(service.address, sent.path, request)
    })
    const at = failures.length - 1
    const least = await minimize(
      { ...request, path: service.known.fill(request.path) },
      async (smaller) => (await examine(operation, smaller)).problem === problem
    )
    failures[at] = {
      operation: operationId,
      problem,
      reproduction: curlLine(service.address, outgoing(least).path, least)
    }
  }

  for (const operation of wanted) {
    for (let done = 0; done < options.requests; done += chunk) {
      const requests = samples(document, operation, options, done)
      await inParallel(requests, options.concurrency ?? 12, (request) => once(operation, request))
      options.progress?.(
        `${operation.operationId}: ${done + requests.length} of ${options.requests}, ${failures.length} failures`
      )
    }
  }
  close()
  return { statuses, failures }
}

/** The requests of an operation from the `done`-th on: the same for the same seed, whatever other operations there are. */
const samples = (document: OpenApiDocument, operation: Operation, options: FuzzOptions, done: number) =>
  fc.sample(requestsOf(document, operation), {
    seed: options.seed + done,
    numRuns: Math.min(chunk, options.requests - done)
  })

const inParallel = async <A>(
  items: ReadonlyArray<A>,
  concurrency: number,
  work: (item: A) => Promise<void>
): Promise<void> => {
  const rest = items.values()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of rest) await work(item)
    })
  )
}
