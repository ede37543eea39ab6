import { assert, it } from "@effect/vitest"
import { runOf } from "../../support/Documents.ts"
import { textAt } from "../../support/Json.ts"
import { TestService } from "../../support/TestService.ts"
import { EventClient } from "./EventClient.ts"

it("a service that stops ends its streams first and does not wait for them", async () => {
  const service = await TestService.start()
  const tenant = await service.tenant()
  const { body } = await service.call("POST", "/flows/hold/run", {
    key: tenant.live,
    body: await runOf({ variables: { gate: "closed" } })
  })
  const client = await EventClient.open(service.address, tenant.live, textAt(body, "id"))
  const streamed = client.all()
  await service.awaitStatus(tenant.live, textAt(body, "id"), "running")
  await service.stop()
  // A stream that ends well but without the end of the execution: the client comes back, to another process.
  assert.isFalse((await streamed).at(-1)?.event.startsWith("execution.completed"))
})
