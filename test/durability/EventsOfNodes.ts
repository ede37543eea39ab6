import { assert, describe, it } from "@effect/vitest"
import { type Arrived, EventClient, percentagesOf, rises } from "../services/events/EventClient.ts"
import type { TwoNodes } from "./TwoNodes.ts"

/** The events that are stored: those with an id. */
export const logged = (events: ReadonlyArray<Arrived>) => events.filter(({ id }) => id !== undefined)

/** Tests of the events of executions that run on either of two nodes. */
export const eventsOfNodes = (two: { readonly it: TwoNodes }) =>
  describe("events over two nodes", () => {
    it("arrive by signals at both, the same ones, whichever node runs the execution", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      const documents = Array.from({ length: 6 }, (_, index) => `The debt that is followed, ${index}.`)
      const release = two.it.holdModel()
      const made = await Promise.all(
        documents.map((document, index) => two.it.run(index, tenant, "asking", document))
      )
      const clients = await Promise.all(
        made.map(({ body: { id } }) =>
          Promise.all(two.it.nodes.map((node) => EventClient.open(node.address, tenant.key, id)))
        )
      )
      const stories = clients.map((ofOne) => Promise.all(ofOne.map((client) => client.all())))
      await two.it.askedAbout(documents)
      release()
      for (const [here = [], there = []] of await Promise.all(stories)) {
        assert.deepStrictEqual(logged(here), logged(there))
        assert.strictEqual(here.at(-1)?.event, "execution.completed")
        assert.isTrue(rises(percentagesOf(here)) && rises(percentagesOf(there)))
      }
    })

    it("tell of a replay that is asked for at one node, on what the other has done", async () => {
      const tenant = await two.it.node(0).makeOrganization()
      const first = await two.it.run(1, tenant, "asking", "A debt.\n", { wait: true })
      assert.strictEqual(first.body.status, "completed")
      const { body, status } = await two.it.node(0).call("POST", `/api/v1/runs/${first.body.id}/replay`, {
        key: tenant.key,
        body: { fromStep: "ask" }
      })
      assert.strictEqual(status, 200)
      const story = await (await EventClient.open(two.it.node(1).address, tenant.key, body.id)).all()
      assert.deepStrictEqual(
        logged(story).map(({ event }) => event),
        [
          "execution.pending",
          "step.reused",
          "execution.running",
          "step.started",
          "step.completed",
          "execution.completed"
        ]
      )
      const ledger = await two.it
        .node(1)
        .call("GET", `/api/admin/v1/organizations/${tenant.organizationId}/ledger`)
      const charges = ledger.body.entries.filter(({ kind }) => kind === "charge").map(({ amount }) => amount)
      assert.deepStrictEqual(charges, [-0.5, -1])
    })
  })
