import { assert, describe, it } from "@effect/vitest"
import { until } from "../support/Until.ts"
import { allEnded, assertChargedOnce } from "./Ended.ts"
import type { TwoNodes } from "./TwoNodes.ts"

const executions = 24

/** Tests a third node that joins two while they run executions, and leaves again. */
export const joiningNode = (two: { readonly it: TwoNodes }) =>
  describe("a node that joins", () => {
    it("takes executions over, which the others no longer run, and hands them back when it leaves", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      const documents = Array.from({ length: executions }, (_, n) => `The debt of a joining node, ${n}.`)
      const { models } = two.it
      const release = two.it.holdModel()
      const asked = models.asked.length
      const abandoned = models.abandoned()
      const moves = () => models.asked.length - asked - executions
      /** Every question that was asked again has replaced one that nobody waits for any more. */
      const moved = (more: number) =>
        until(`executions to move, ${models.asked.length - asked} asked`, async () =>
          moves() > more && models.abandoned() - abandoned === moves() ? true : undefined
        )
      const answers = await Promise.all(
        documents.map((document, n) => two.it.run(n, tenant, "asking", document))
      )
      await two.it.askedAbout(documents)

      const third = await two.it.startAnother()
      await moved(0)
      const toThird = moves()
      await third.end("SIGTERM")
      await moved(toThird)
      release()

      assert.isTrue(await allEnded(two.it.node(0), tenant), "every execution ended")
      const ids = answers.map(({ body }) => body.id)
      await assertChargedOnce(two.it.node(0), tenant, ids, 1)
    })
  })
