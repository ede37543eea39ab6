import { expect, test } from "vitest"
import { fuzz } from "../../scripts/fuzz/Fuzz.ts"
import { startService } from "../../scripts/fuzz/Service.ts"

const seed = 20_261_120

test("25 requests to each operation: every answer is as the OpenAPI document says, and nothing dies inside", async () => {
  await using service = await startService()
  const { failures, statuses } = await fuzz(service, { seed, requests: 25 })
  expect(failures).toEqual([])
  expect(service.defects()).toEqual([])
  // Had the requests all been refused, little would be known. What there is to cancel has ended: 409.
  const refused = [...statuses].filter(
    ([, counts]) => ![...counts].some(([status]) => status < 300 || status === 409)
  )
  expect(refused.map(([operation]) => operation)).toEqual([])
})
