import { beforeAll, describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { expectError, isoTime } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import { type Tenant, useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const service = useOwnService({ DOCFLOW_CONCURRENCY: "1" })
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const cancel = (id: string) => service.it.call("POST", `/runs/${id}/cancel`, { key: tenant.live })
const run = async (flow: string, rest: Parameters<typeof runOf>[0] = {}, key = tenant.live) => {
  const { body } = await service.it.call("POST", `/flows/${flow}/run`, { key, body: await runOf(rest) })
  return textAt(body, "id")
}
const held = async (flow: string, gate: string, key = tenant.live) => {
  const id = await run(flow, { variables: { gate } }, key)
  await until(`${gate} to be reached`, async () => service.it.gates.waitingAt(gate) === 1 || undefined)
  return id
}

describe("POST /runs/{executionId}/cancel", () => {
  test("of a pending one: cancelled at once, no credits used", async () => {
    const other = await service.it.tenant()
    const blocker = await held("hold", "blocker")
    const id = await run("expensive", { metadata: { a: 1 } }, other.live)
    expect(await service.it.credits(other.id)).toEqual({ balance: 9987.5, reserved: 12.5 })
    const answer = await service.it.call("POST", `/runs/${id}/cancel`, { key: other.live })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id,
      flowId: "expensive",
      version: "1.0.0",
      status: "cancelled",
      createdAt: isoTime,
      cancelledAt: isoTime,
      metadata: { a: 1 }
    })
    expect(await service.it.credits(other.id)).toEqual({ balance: 10_000, reserved: 0 })
    service.it.gates.open("blocker")
    await service.it.awaitStatus(tenant.live, blocker, "completed")
    // It had its turn meanwhile, and was not run.
    const { body } = await service.it.call("GET", `/runs/${id}?include=artifacts`, { key: other.live })
    expect(body).toMatchObject({ status: "cancelled", artifacts: {} })
  })

  test("of a running one: cancelled at once, its work interrupted, the finished steps charged", async () => {
    const other = await service.it.tenant()
    const id = await held("half", "halfway", other.live)
    const answer = await service.it.call("POST", `/runs/${id}/cancel`, { key: other.live })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id,
      flowId: "half",
      version: "1.0.0",
      status: "cancelled",
      createdAt: isoTime,
      cancelledAt: isoTime
    })
    await until("its work to be interrupted", async () =>
      service.it.gates.interrupted.includes("halfway") ? true : undefined
    )
    // Two of four steps were done; the whole would have been 2 credits.
    expect(await service.it.credits(other.id)).toEqual({ balance: 9999, reserved: 0 })
    const { body } = await service.it.call("GET", `/runs/${id}?include=metrics`, { key: other.live })
    expect(body).toMatchObject({ status: "cancelled", metrics: { creditsUsed: 1 } })
  })

  test("of a running one: finished steps inside another one are charged, too", async () => {
    const other = await service.it.tenant()
    const id = await held("half-inside", "inside", other.live)
    await service.it.call("POST", `/runs/${id}/cancel`, { key: other.live })
    expect(await service.it.credits(other.id)).toEqual({ balance: 9998.5, reserved: 0 })
  })

  test.each([
    ["completed", "greet", "NOT_CANCELLABLE"],
    ["failed", "boom", "NOT_CANCELLABLE"]
  ])("of a %s one: 409, unchanged", async (status, flow, code) => {
    const id = await run(flow)
    const before = await service.it.awaitStatus(tenant.live, id, status)
    expectError(await cancel(id), 409, code)
    expect(await service.it.awaitStatus(tenant.live, id, status)).toEqual(before)
  })

  test("of a cancelled one: 409 ALREADY_CANCELLED, unchanged", async () => {
    const id = await held("hold", "twice")
    expect((await cancel(id)).status).toBe(200)
    const before = await service.it.awaitStatus(tenant.live, id, "cancelled")
    expectError(await cancel(id), 409, "ALREADY_CANCELLED")
    expect(await service.it.awaitStatus(tenant.live, id, "cancelled")).toEqual(before)
  })

  test("several at once: exactly one 200, the others ALREADY_CANCELLED", async () => {
    const id = await held("hold", "all at once")
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status !== 200) expectError(answer, 409, "ALREADY_CANCELLED")
    }
  })

  test("against completion: whoever is first wins, the other gets its 409", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await held("hold", `race ${round}`)
      service.it.gates.open(`race ${round}`)
      const answer = await cancel(id)
      const end = await service.it.call("GET", `/runs/${id}`, { key: tenant.live })
      if (answer.status === 200) expect(at(end.body, "status")).toBe("cancelled")
      else {
        expectError(answer, 409, "NOT_CANCELLABLE")
        expect(at(end.body, "status")).toBe("completed")
      }
    }
  })

  test("of an unknown one: EXECUTION_NOT_FOUND", async () => {
    expectError(await cancel("exec_nothing"), 404, "EXECUTION_NOT_FOUND")
  })

  test.each([
    ["no body", {}],
    ["an empty body", { raw: "" }],
    [
      "Content-Type: application/json with length 0",
      { headers: { "content-type": "application/json", "content-length": "0" } }
    ],
    ["an empty object", { body: {} }]
  ])("takes %s", async (_, sent) => {
    const id = await run("greet")
    await service.it.awaitStatus(tenant.live, id, "completed")
    const answer = await service.it.call("POST", `/runs/${id}/cancel`, { key: tenant.live, ...sent })
    expectError(answer, 409, "NOT_CANCELLABLE")
  })

  test("takes a POST without any body on the wire", async () => {
    const id = await held("hold", "bare")
    const answer = await service.it.sendBytes(
      `POST /api/v1/runs/${id}/cancel HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.live}\r\nConnection: close\r\n\r\n`
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /u)
  })
})
