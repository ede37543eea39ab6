import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { hash } from "node:crypto"
import { type Arrived, EventClient, percentagesOf, rises } from "../services/events/EventClient.ts"
import { until } from "../support/Until.ts"
import { allEnded, assertChargedOnce } from "./Ended.ts"
import { logged } from "./EventsOfNodes.ts"
import { remainsOf, sweep } from "./Remains.ts"
import { lockTables } from "./Rows.ts"
import type { Tenant } from "./ServiceProcess.ts"
import type { TwoNodes } from "./TwoNodes.ts"

const executions = 24
const erased = "ERASED-BY-A-KILLED-NODE"
const uploaded = "UPLOADED-TO-A-KILLED-NODE"
/** Sweeps go through the store by the first two digits of the names; what is left over goes in the second round. */
const firstDigits = "00"
const sweeps = 257

/** A document whose name in the store begins with these digits. */
const documentOf = (mark: string, digits: string): string => {
  for (let number = 0; ; number++) {
    const text = `${mark} ${number}`
    if (hash("sha256", text).startsWith(digits)) return text
  }
}

/** Tests that kill node 1 of two while it runs executions, erases one and stores a document. */
export const killedNode = (two: { readonly it: TwoNodes }) =>
  describe("a node that is killed", () => {
    let tenant: Tenant
    let other: Tenant
    let accepted: ReadonlyArray<string> = []
    let half = ""
    let stories: ReadonlyArray<Promise<ReadonlyArray<Arrived>>> = []
    let release: (() => void) | undefined
    const upload = documentOf(uploaded, firstDigits)
    const nameOfUpload = hash("sha256", upload)

    /** Follows at node 1 as long as it lives, then at node 0, from the last event that arrived. */
    const follow = async (id: string): Promise<ReadonlyArray<Arrived>> => {
      const seen: Array<Arrived> = []
      const read = async (address: string) => {
        const last = seen.findLast((event) => event.id !== undefined)?.id
        const client = await EventClient.open(address, tenant.key, id, last)
        for await (const event of client.events()) seen.push(event)
      }
      await read(two.it.node(1).address).catch(() => undefined)
      while (!/^execution\.(completed|failed)$/u.test(seen.at(-1)?.event ?? "")) {
        await read(two.it.node(0).address)
      }
      return seen
    }

    /** Both wait for the audit log: the bytes of the one are gone, those of the other stored, nothing is committed. */
    const leaveHalfDone = async () => {
      const unlock = await lockTables(two.it.database, "audit_log", "exclusive")
      const cut = [
        two.it.node(1).call("DELETE", `/api/admin/v1/executions/${half}`),
        two.it.run(1, other, "note", upload)
      ].map((answer) => answer.then(({ status }) => status).catch(() => "none"))
      const waiting = "from pg_stat_activity where wait_event_type = 'Lock'"
      await until("both to wait", async () =>
        (await two.it.rows(`select pid ${waiting}`)).length === 2 ? true : undefined
      )
      assert.include(await remainsOf(two.it, uploaded), nameOfUpload)
      await two.it.node(1).end("SIGKILL")
      // Their connections are gone; the server would notice at its next answer.
      await two.it.rows(`select pg_terminate_backend(pid) ${waiting}`)
      assert.deepStrictEqual(await Promise.all(cut), ["none", "none"])
      await unlock()
    }

    beforeAll(async () => {
      tenant = await two.it.node(0).makeOrganization()
      other = await two.it.node(0).makeOrganization()
      half = (await two.it.run(0, other, "note", erased, { wait: true })).body.id
      release = two.it.holdModel()
      const documents = Array.from(
        { length: executions },
        (_, index) => `The debt of a killed node, ${index}.`
      )
      const made = await Promise.all(
        documents.map((document, index) => two.it.run(index, tenant, "asking", document))
      )
      accepted = made.map(({ body }) => body.id)
      await two.it.askedAbout(documents)
      stories = accepted.slice(0, 6).map(follow)
      await leaveHalfDone()
      release?.()
    })
    afterAll(() => release?.())

    it(
      "leaves nothing undone: the other one finishes everything, and each is charged once",
      { timeout: 300_000 },
      async () => {
        assert.isTrue(await allEnded(two.it.node(0), tenant))
        await assertChargedOnce(two.it.node(0), tenant, accepted, 1)
      }
    )

    it("interrupts no story: events go on at the other one, none missing and none twice", async () => {
      for (const story of await Promise.all(stories)) {
        assert.strictEqual(story.at(-1)?.event, "execution.completed")
        assert.isTrue(rises(percentagesOf(story)), JSON.stringify(percentagesOf(story)))
        const ids = logged(story).map(({ id }) => Number(id))
        assert.deepStrictEqual(
          ids,
          ids.map((_, index) => index + 1)
        )
      }
    })

    it("leaves an erasure undone, not half done: asked for again, it removes everything", async () => {
      const erasures = () =>
        two.it.rows(`select 1 from audit_log where action = 'execution.erased' and subject = '${half}'`)
      assert.isEmpty(await erasures())
      assert.isNotEmpty(await remainsOf(two.it, erased))
      const { status } = await two.it.node(0).call("DELETE", `/api/admin/v1/executions/${half}`)
      assert.strictEqual(status, 200)
      assert.lengthOf(await erasures(), 1)
      assert.deepStrictEqual(await remainsOf(two.it, erased), [])
    })

    it("leaves no execution of an upload that was cut off, and its bytes are swept", async () => {
      await assertChargedOnce(two.it.node(0), other, [half], 1)
      assert.deepStrictEqual(await remainsOf(two.it, uploaded), [nameOfUpload])
      await sweep(two.it, sweeps)
      assert.deepStrictEqual(await remainsOf(two.it, uploaded), [])
    })
  })
