import { createHmac } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DocflowClient, documentOf } from "../../src/client/index.ts"
import { verifyWebhook } from "../../src/client/VerifyWebhook.ts"
import { manyPages } from "../fixtures/Pdfs.ts"
import { listAt, textAt } from "../support/Json.ts"
import type { useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

/** Webhooks of a running service, received and verified as its users do. */
export const webhookSuite = (service: ReturnType<typeof useService>) => {
  let tenant = { id: "", live: "", test: "" }
  let testClient = new DocflowClient({ apiKey: "set before the tests" })
  let document = documentOf(new Uint8Array())
  beforeAll(async () => {
    tenant = await service.it.tenant()
    testClient = new DocflowClient({ apiKey: tenant.test, baseUrl: `${service.it.address}/api/v1/` })
    document = documentOf(await manyPages(1), { filename: "one.pdf" })
  })

  describe("a webhook of the running service", () => {
    const received: Array<{ headers: Record<string, string>; body: string }> = []
    let url = ""
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        )
        received.push({ headers, body })
        response.writeHead(received.length === 1 ? 500 : 204).end()
      })
    })
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/hook`
    })
    afterAll(() => void server.close())

    it("comes when the execution ends, is repeated when it fails, logged, redelivered, and verifies", async () => {
      const secret = "the secret of this webhook"
      const run = await testClient.run("greet", {
        input: { document },
        metadata: { customer: "Zoë" },
        webhookUrl: url,
        webhookSecret: secret
      })
      await until("two attempts", async () => (received.length >= 2 ? true : undefined))
      const read = await testClient.get(run.id)
      for (const { body, headers } of received) {
        const message = verifyWebhook(body, headers, secret)
        expect(message).toMatchObject({ type: "execution.completed", id: received[0]?.headers["webhook-id"] })
        expect(message.data).toEqual(read)
        expect(new Webhook(Buffer.from(secret).toString("base64")).verify(body, headers)).toMatchObject({
          event: "execution.completed"
        })
        expect(headers["x-service-signature"]).toBe(
          `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
        )
      }
      const delivered = await until("the log", async () => {
        const log = await service.it.admin("GET", `/executions/${run.id}/deliveries`)
        const [delivery] = listAt(log.body, "deliveries")
        return textAt(delivery, "status") === "delivered" ? delivery : undefined
      })
      expect(delivered).toMatchObject({ attempts: [{ status: 500 }, { status: 204 }] })
      const again = await service.it.admin("POST", `/deliveries/${textAt(delivered, "id")}/redeliver`)
      expect(again.status).toBe(200)
      await until("the redelivery", async () => (received.length >= 3 ? true : undefined))
      const dump = JSON.stringify([
        await service.it.rows("select e::text from executions e"),
        await service.it.rows("select d::text from deliveries d"),
        service.it.logs
      ])
      expect(dump).not.toContain(secret)
    })

    it("comes when corrections are saved, to a run that asks for that, and then not for its end", async () => {
      const secret = "the secret of corrections"
      const hook = { webhookUrl: `${url}/corrections`, webhookSecret: secret }
      const asked = { ...hook, webhookEvents: ["corrections.saved"] } as const
      const invoice = { input: { document: documentOf(await readFile("examples/invoice.pdf")) } }
      const { id } = await testClient.runToEnd("invoice", { ...invoice, ...asked })
      const other = await testClient.runToEnd("greet", { input: { document }, ...hook })
      await testClient.saveCorrections(other.id, { ifMatch: 0 })
      const values = [{ path: "/totalAmount", value: 12.5 }]
      const saved = await testClient.saveCorrections(id, { ifMatch: 0, values })
      await expect(testClient.saveCorrections(id, { ifMatch: 0, values })).rejects.toMatchObject({
        status: 409
      })

      const events = async (execution: string) => {
        const { body } = await service.it.admin("GET", `/executions/${execution}/deliveries`)
        return listAt(body, "deliveries").map((delivery) => textAt(delivery, "event"))
      }
      expect(await events(id)).toEqual(["corrections.saved"])
      expect(await events(other.id)).toEqual(["execution.completed"])
      const { body, headers } = await until("the webhook", async () =>
        received.find((one) => one.body.includes("corrections.saved"))
      )
      const message = verifyWebhook(body, headers, secret)
      expect(message.type).toBe("corrections.saved")
      expect(message.data).toEqual(await testClient.get(id, { include: ["corrections"] }))
      expect(message.data.corrections).toEqual(saved)

      const blind = new DocflowClient({
        apiKey: await service.it.key(tenant.id, "test", ["flows:execute"]),
        baseUrl: `${service.it.address}/api/v1/`
      })
      await expect(blind.run("invoice", { ...invoice, ...asked })).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining("API key missing required scope: corrections:read")
      })
    })
  })
}
