import { beforeAll, describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"
import { endpoints, filled } from "./Endpoints.ts"

const service = useService()
const nothingCorrected = { ifMatch: 0, values: [], confirmed: [] }
const secret = "only-for-the-owner"
const ofExecutions = endpoints.filter(({ path }) => path.includes(":executionId"))
const tested = [
  "GET /api/v1/runs/:executionId",
  "POST /api/v1/runs/:executionId/cancel",
  "GET /api/v1/runs/:executionId/events",
  "POST /api/v1/runs/:executionId/replay",
  "GET /api/v1/runs/:executionId/diff/:otherId",
  "GET /api/v1/runs/:executionId/pages",
  "GET /api/v1/runs/:executionId/pages/:page",
  "GET /api/v1/runs/:executionId/pages/:page/picture",
  "GET /api/v1/runs/:executionId/corrections",
  "PUT /api/v1/runs/:executionId/corrections",
  "GET /api/v1/runs/:executionId/test-set"
]

let owner: Tenant
let stranger: Tenant
let finished: string
let held: string
/** An execution of each caller, by its key. */
const ownOf = new Map<string, string>()
const run = async (key: string, flow: string, rest: Parameters<typeof runOf>[0] = {}) =>
  textAt((await service.it.call("POST", `/flows/${flow}/run`, { key, body: await runOf(rest) })).body, "id")

beforeAll(async () => {
  owner = await service.it.tenant()
  stranger = await service.it.tenant()
  finished = await run(owner.live, "greet", { metadata: { secret } })
  held = await run(owner.live, "hold", { metadata: { secret }, variables: { gate: "isolation" } })
  await service.it.awaitStatus(owner.live, finished, "completed")
  for (const key of [stranger.live, owner.test]) {
    const own = await run(key, "greet")
    await service.it.awaitStatus(key, own, "completed")
    ownOf.set(key, own)
  }
})

test("every endpoint of executions is in this table", () => {
  expect(ofExecutions.map(({ name }) => name).toSorted()).toEqual(tested.toSorted())
})

describe("an execution of somebody else is 404, and nothing is said or done", () => {
  const callers = ["another organization", "the same organization's other environment"] as const
  const cases = callers.flatMap((who) => ofExecutions.map(({ name }) => [who, name] as const))

  test.each(cases)("to %s: %s", async (who, name) => {
    const key = who === "another organization" ? stranger.live : owner.test
    const endpoint = ofExecutions.find((found) => found.name === name)
    const own = ownOf.get(key)
    for (const id of [finished, held]) {
      for (const [executionId, otherId] of [[id, own], ...(name.includes(":otherId") ? [[own, id]] : [])]) {
        const path = filled(endpoint?.path ?? "", {
          executionId: executionId ?? "",
          otherId: otherId ?? "",
          page: "1"
        })
        const body = path.endsWith("/replay") ? {} : endpoint?.method === "PUT" ? nothingCorrected : undefined
        const answer = await service.it.request(endpoint?.method ?? "", path, { key, body })
        expect({ path, status: answer.status }).toEqual({ path, status: 404 })
        expect(answer.body).toEqual({
          error: { code: "EXECUTION_NOT_FOUND", message: `Execution not found: ${id}` }
        })
        expect([...answer.headers.values()].join("\n")).not.toContain(secret)
      }
    }
    const { body } = await service.it.call("GET", `/runs/${held}`, { key: owner.live })
    expect(["pending", "running"]).toContain(at(body, "status"))
  })
})

test("a list of executions has those of the key's organization and environment only", async () => {
  for (const key of [stranger.live, owner.test]) {
    const { body, text } = await service.it.call("GET", `/runs?metadata.secret=${secret}`, { key })
    expect(at(body, "executions")).toEqual([])
    expect(text).not.toContain(finished)
    const all = await service.it.call("GET", "/runs", { key })
    expect(listAt(all.body, "executions").map((execution) => at(execution, "id"))).toContain(ownOf.get(key))
    expect(all.text).not.toContain(secret)
  }
})

test("an idempotency key of another organization or environment finds nothing", async () => {
  const mine = await run(owner.live, "greet", { idempotencyKey: "shared-by-chance" })
  for (const key of [stranger.live, owner.test]) {
    expect(await run(key, "greet", { idempotencyKey: "shared-by-chance" })).not.toBe(mine)
  }
})

test("an execution that does not exist is answered like one of somebody else", async () => {
  const theirs = await run(owner.live, "greet")
  const answers = await Promise.all(
    [theirs, "exec_01ARZ3NDEKTSV4RRFFQ69G5FAV"].map(async (id) => {
      const { headers, status, text } = await service.it.call("GET", `/runs/${id}`, { key: stranger.live })
      return { status, text: text.replaceAll(id, "ID"), names: [...headers.keys()].sort() }
    })
  )
  expect(answers[0]).toEqual(answers[1])
})
