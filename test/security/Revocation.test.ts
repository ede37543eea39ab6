import { describe, expect, test } from "vitest"
import { at, listAt, textAt } from "../support/Json.ts"
import { useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

describe("one process", () => {
  const service = useOwnService()

  test("refuses a revoked key at once, names it INVALID_API_KEY, and refuses it for good", async () => {
    const { id, live } = await service.it.tenant()
    expect((await service.it.call("GET", "/flows", { key: live })).status).toBe(200)
    const { body } = await service.it.admin("GET", `/organizations/${id}/keys`)
    const keyId = listAt(body, "keys")
      .filter((key) => at(key, "environment") === "live")
      .map((key) => textAt(key, "id"))[0]
    await service.it.admin("DELETE", `/keys/${keyId}`)
    const answer = await until("the key to be refused", async () => {
      const found = await service.it.call("GET", "/flows", { key: live })
      return found.status === 401 ? found : undefined
    })
    expect(at(answer.body, "error.code")).toBe("INVALID_API_KEY")
    // Revoking it again changes nothing.
    expect((await service.it.admin("DELETE", `/keys/${keyId}`)).status).toBe(200)
    expect((await service.it.call("GET", "/flows", { key: live })).status).toBe(401)
  })
})
