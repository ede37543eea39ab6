import { createServer } from "node:http"
import { describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { expectError, isoTime } from "../support/Expect.ts"
import { at, listAt, namesOf, textAt } from "../support/Json.ts"
import { useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const service = useService()
const run = async (key: string, flow: string, rest: Parameters<typeof runOf>[0] = {}) =>
  textAt(
    (await service.it.call("POST", `/flows/${flow}/run`, { key, body: await runOf({ wait: true, ...rest }) }))
      .body,
    "id"
  )

describe("executions", () => {
  test("are listed newest first, by status and flow, page by page", async () => {
    const { id, live } = await service.it.tenant()
    const made = [await run(live, "greet"), await run(live, "boom"), await run(live, "greet")]
    const list = async (query: string) => {
      const { body, status } = await service.it.admin("GET", `/organizations/${id}/executions${query}`)
      expect(status).toBe(200)
      return { ids: listAt(body, "executions").map((execution) => textAt(execution, "id")), body }
    }
    expect((await list("")).ids).toEqual(made.toReversed())
    expect((await list("?status=failed")).ids).toEqual([made[1]])
    expect((await list("?flowId=greet")).ids).toEqual([made[2], made[0]])
    expect((await list("?flowId=greet&status=failed")).ids).toEqual([])
    const page = await list("?limit=1&offset=1")
    expect(page.ids).toEqual([made[1]])
    expect(page.body).toMatchObject({ total: 3, limit: 1, offset: 1 })
    expect((await list("?limit=500")).body).toMatchObject({ limit: 100 })
    expectError(
      await service.it.admin("GET", `/organizations/${id}/executions?status=lost`),
      400,
      "INVALID_INPUT"
    )
  })

  test("that are erased lose document, output and artifacts", async () => {
    const { id, live } = await service.it.tenant()
    const gone = await run(live, "invoice", { metadata: { secret: "of the caller" }, pages: 4 })
    const kept = await run(live, "invoice", { pages: 4 })
    const answer = await service.it.admin("DELETE", `/executions/${gone}`)
    expect([answer.status, answer.body]).toEqual([200, { id: gone, erased: true }])
    const read = async (execution: string) =>
      (await service.it.call("GET", `/runs/${execution}?include=artifacts`, { key: live })).body
    const erased = await read(gone)
    expect(namesOf(erased)).not.toContain("output")
    expect(namesOf(erased)).not.toContain("metadata")
    expect(namesOf(at(erased, "artifacts") ?? {})).toEqual([])
    // The same document belongs to another execution, too, which keeps what is its own.
    expect(await read(kept)).toMatchObject({ output: expect.any(Object), artifacts: { read: {} } })
    expect(await service.it.rows(`select 1 from step_results where execution_id = '${gone}'`)).toEqual([])
    expect(await service.it.rows(`select 1 from blob_uses where execution_id = '${gone}'`)).toEqual([])
    const { body } = await service.it.admin("GET", `/organizations/${id}/executions`)
    expect(JSON.stringify(body)).not.toContain("of the caller")
  })

  test("that run are cancelled when they are erased", async () => {
    const { id, live } = await service.it.tenant()
    const { body } = await service.it.call("POST", "/flows/hold/run", {
      key: live,
      body: await runOf({ variables: { gate: "erased" } })
    })
    const execution = textAt(body, "id")
    await until("it to run", async () => (service.it.gates.waitingAt("erased") === 1 ? true : undefined))
    expect((await service.it.admin("DELETE", `/executions/${execution}`)).status).toBe(200)
    await service.it.awaitStatus(live, execution, "cancelled")
    expect(await service.it.credits(id)).toEqual({ balance: 10_000, reserved: 0 })
  })
})

describe("deliveries", () => {
  test("are listed with their attempts, and sent again when asked", async () => {
    const received: Array<string> = []
    const receiver = createServer((request, response) => {
      received.push(String(request.headers["webhook-id"]))
      request.resume()
      response.end()
    })
    const port = await new Promise<number>((resolve) => {
      receiver.listen(0, "127.0.0.1", () => {
        const address = receiver.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
    const { test: key } = await service.it.tenant()
    const execution = await run(key, "greet", {
      webhookUrl: `http://127.0.0.1:${port}/hook`,
      webhookSecret: "s"
    })
    const deliveries = (attempts: number) =>
      until(`${attempts} attempts`, async () => {
        const { body } = await service.it.admin("GET", `/executions/${execution}/deliveries`)
        const list = listAt(body, "deliveries")
        return list.length > 0 && listAt(list[0], "attempts").length >= attempts ? list : undefined
      })
    const [first] = await deliveries(1)
    expect(first).toMatchObject({
      id: expect.any(String),
      executionId: execution,
      event: "execution.completed",
      url: `http://127.0.0.1:${port}/hook`,
      createdAt: isoTime,
      attempts: [{ at: isoTime, durationMs: expect.any(Number), status: 200 }]
    })
    const again = await service.it.admin("POST", `/deliveries/${textAt(first, "id")}/redeliver`)
    expect(again.status).toBe(200)
    const list = await deliveries(2)
    expect(list).toHaveLength(1)
    await until("the second delivery", async () => (received.length === 2 ? true : undefined))
    expect(received[1]).toBe(received[0])
    receiver.close()
  })

  test("of an execution without a webhook are none", async () => {
    const { live } = await service.it.tenant()
    const { body } = await service.it.admin("GET", `/executions/${await run(live, "greet")}/deliveries`)
    expect(body).toEqual({ deliveries: [] })
  })
})
