import { Effect } from "effect"
import { expect, it } from "vitest"
import { readExecution } from "../../src/dashboard/ReadExecution.ts"
import { Executions } from "../../src/services/executions/Executions.ts"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { until } from "../support/Until.ts"
import type { Shared } from "./Shared.ts"

/** What is shown of an execution that ends between two readings of the database. */
export const describeEnding = (service: Shared): void => {
  it("shows an execution that ends while it is read with all that came with its end", async () => {
    const gate = "ends while it is read"
    const { live: key } = await service.it.tenant()
    const body = await runOf({ variables: { gate } })
    const id = textAt((await service.it.call("POST", "/flows/hold/run", { key, body })).body, "id")
    const isWaiting = async () => (service.it.gates.waitingAt(gate) > 0 ? true : undefined)
    await until("the execution to wait", isWaiting)
    const end = async () => {
      service.it.gates.open(gate)
      await until("its end", async () => {
        const { body } = await service.it.call("GET", `/runs/${id}`, { key })
        return textAt(body, "status") === "completed" ? true : undefined
      })
    }
    const view = await service.it.run(
      Effect.gen(function* () {
        const executions = yield* Executions
        const get: typeof executions.get = (...asked) =>
          Effect.andThen(Effect.promise(end), executions.get(...asked))
        const ending = Executions.of({ ...executions, get })
        return yield* Effect.provideService(readExecution(id), Executions, ending)
      })
    )
    expect(view).toMatchObject({ execution: { status: "completed" }, hasOutput: true })
    expect(view.steps.map(({ status }) => status)).toEqual(["completed"])
  })
}
