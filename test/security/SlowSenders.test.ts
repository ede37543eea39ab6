import { connect } from "node:net"
import { beforeAll, describe, expect, test } from "vitest"
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
    const socket = connect(Number(port), hostname, () => socket.write(head))
    const dripping = setInterval(() => socket.write(drip), 500)
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

const post = () =>
  `POST /api/v1/flows/greet/run HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.live}\r\n` +
  "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"

// Both wait for the limits of the server.
describe.concurrent("a sender that is slow", () => {
  test("with its head is cut, and told so", async () => {
    const answer = await sendSlowly("GET /api/v1/flows HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a")
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"INVALID_INPUT"/su)
  })

  test("and sends nothing of its body is cut, and told so", async () => {
    const answer = await sendSlowly(post(), "")
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"INVALID_INPUT"/su)
  })
})
