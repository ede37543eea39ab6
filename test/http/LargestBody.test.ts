import { describe, expect, test } from "vitest"
import { useOwnService } from "../support/TestService.ts"

describe("the largest body", () => {
  const service = useOwnService({ DOCFLOW_MAX_FILE_MB: "1" })

  test("is what the settings say: a file of 3 MB is refused with 413 where 1 MB is allowed", async () => {
    const { live } = await service.it.tenant()
    const base64 = Buffer.alloc(3 * 1024 * 1024).toString("base64")
    const refused = await service.it.call("POST", "/flows/greet/run", {
      key: live,
      body: { input: { document: { base64 } } }
    })
    expect(refused.status).toBe(413)
    expect(refused.body).toMatchObject({ error: { code: "INVALID_INPUT" } })
  })
})
