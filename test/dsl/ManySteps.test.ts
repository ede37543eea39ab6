import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { withinCpuMs } from "../support/CpuTime.ts"
import { checkFlow, head } from "./Support.ts"

const flow = (count: number) => {
  const steps = Array.from(
    { length: count },
    (_, index) => `  - { id: s${index}, uses: transform, with: { value: 1 } }`
  )
  return `${head}steps:\n${steps.join("\n")}\noutput: { value: {} }\n`
}

describe("a flow of very many steps", () => {
  it("is checked in no time up to 500, and refused beyond", () => {
    expect(Result.isSuccess(checkFlow(flow(500)))).toBe(true)
    const refused = withinCpuMs(3000, () => checkFlow(flow(2000)))
    expect(Result.isFailure(refused) && refused.failure[0]?.message).toBe(
      "The flow has 2000 steps, nested ones included; the limit is 500."
    )
  })
})
