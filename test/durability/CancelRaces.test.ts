import { assert, describe, it } from "@effect/vitest"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const races = 1000
const atOnce = 10

describe.skipIf(process.env.DOCFLOW_TEST_LONG === undefined)(
  "1,000 cancels against completions (long: DOCFLOW_TEST_LONG)",
  () => {
    const service = useOwnService()

    it("have one legal outcome each, and the caller is told that one", { timeout: 600_000 }, async () => {
      const tenant = await service.it.tenant()
      const outcomes = new Map<string, number>()

      const race = async (round: number) => {
        const gate = `round ${round}`
        const body = await runOf({ variables: { gate } })
        const made = await service.it.call("POST", "/flows/hold/run", { key: tenant.live, body })
        const id = textAt(made.body, "id")
        await until(`${gate} to be reached`, async () => service.it.gates.waitingAt(gate) === 1 || undefined)
        const cancelling = service.it.call("POST", `/runs/${id}/cancel`, { key: tenant.live })
        // A cancel takes some milliseconds: some of the executions end before it, some after.
        await new Promise((resolve) => setTimeout(resolve, round % 10))
        service.it.gates.open(gate)
        const cancel = await cancelling
        const status = await finalStatus(id)
        if (cancel.status === 200) assert.strictEqual(status, "cancelled")
        else {
          assert.strictEqual(textAt(cancel.body, "error.code"), "NOT_CANCELLABLE")
          assert.strictEqual(status, "completed")
        }
        outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
      }

      const finalStatus = async (id: string) => {
        const { body: execution } = await service.it.call("GET", `/runs/${id}`, { key: tenant.live })
        return textAt(execution, "status")
      }

      for (let round = 0; round < races; round += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, (_, index) => race(round + index)))
      }
      console.log(Object.fromEntries(outcomes))
      assert.isAbove(outcomes.get("cancelled") ?? 0, 0, "some cancels are first")
      assert.isAbove(outcomes.get("completed") ?? 0, 0, "some completions are first")
    })
  }
)
