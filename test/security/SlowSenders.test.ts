import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})

/** Sends the head of a request, then a byte of `drip` every so often, until the server closes; what it answered. */
const sendSlowly = (head: string, drip: string): Promise<string> => {
  const { hostname, port } = new URL(service.it.address)
  return new Promise((resolve) => {
    let dripping: NodeJS.Timeout | undefined
    const socket = connect(Number(port), hostname, () => {
      socket.write(head)
      dripping = setInterval(() => socket.write(drip), 500)
    })
    let answer = ""
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1")
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      clearInterval(dripping)
      resolve(answer)
    })
  })
}

const post = (length = 1000, header = "") =>
  `POST /api/v1/flows/greet/run HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.live}\r\n${header}` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** As much as a body may have: nine of them are all that may be in flight. */
const largest = 27_000_000

// All wait for the limits of the server.
describe.concurrent("a sender that is slow", () => {
  test("with its head is cut, and told so", async () => {
    const answer = await sendSlowly("GET /api/v1/flows HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a")
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"INVALID_INPUT"/su)
  })

  test("and sends nothing of its body is cut, and told so", async () => {
    const answer = await sendSlowly(post(), "")
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"INVALID_INPUT"/su)
  })

  test("and drips a body that it asked to send is cut, and told so", async () => {
    const answer = await sendSlowly(post(1000, "Expect: 100-continue\r\n"), " ")
    expect(answer).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 408 .*"code":"INVALID_INPUT".*too slowly/su
    )
  })

  test("and drips a large body is cut, and told so; nine of them keep nobody else out", async () => {
    const other = await service.it.tenant()
    const dripping = Array.from({ length: 9 }, () => sendSlowly(post(largest), " "))
    const body = await runOf({ metadata: { padding: "x".repeat(10_000) } })
    for (let round = 0; round < 8; round++) {
      for (const key of [other.live, tenant.live]) {
        expect((await service.it.call("POST", "/flows/greet/run", { key, body })).status).toBe(200)
      }
      await sleep(500)
    }
    for (const answer of await Promise.all(dripping)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"INVALID_INPUT".*too slowly/su)
    }
  })
})
