import { beforeAll, describe, expect, it } from "vitest"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { boxes, letter } from "./Letters.ts"
import type { Shared } from "./Shared.ts"

/** Several corrected documents of one layout are weighed against each other. */
export const describeWeighing = (service: Shared): void => {
  const run = async (key: string, document: string) => {
    const body = { wait: true, timeout: 60_000, input: { document: { base64: document } } }
    return (await service.it.call("POST", "/flows/learner/run", { key, body })).body
  }

  describe("several checked documents of a sender", () => {
    let owner: Tenant
    let count = 0
    const values = { wrong: { x: 295, y: 158, w: 150, h: 17 } }
    beforeAll(async () => {
      owner = await service.it.tenant()
    })

    /** Runs the next letter, saves corrections of it, and returns the run with its evidence. */
    const next = async (corrections?: object) => {
      count += 1
      const code = `KX Sierra ${count}`
      const ran = await run(owner.live, await letter(code, `${count}00,50 EUR`, "13/04/2026"))
      const path = `/runs/${textAt(ran, "id")}`
      const body = { ifMatch: 0, ...corrections }
      if (corrections !== undefined)
        expect(await service.it.call("PUT", `${path}/corrections`, { key: owner.live, body })).toMatchObject({
          status: 200
        })
      const { body: whole } = await service.it.call("GET", `${path}?include=artifacts`, { key: owner.live })
      return {
        id: textAt(ran, "id"),
        code,
        output: at(ran, "output"),
        field: (name: string) => at(whole, `artifacts.fields.fields.${name}`),
        review: listAt(whole, "artifacts.fields.review").map((item) => [
          at(item, "field"),
          at(item, "reason")
        ])
      }
    }
    const right = { path: "/caseCode", page: 1, bbox: boxes.caseCode }
    const slip = { path: "/caseCode", page: 1, bbox: values.wrong }

    it("go on counting when what they proposed is accepted, wholly or in part", async () => {
      const due = { path: "/due", page: 1, bbox: boxes.due, value: 100.5 }
      const first = await next({ values: [right, due] })
      await next({ confirmed: ["/due"] })
      await next({ confirmed: ["/caseCode"] })
      await next({ confirmed: ["/caseCode", "/due"] })
      const { code, field, output, review } = await next()
      expect(output).toMatchObject({ caseCode: code, due: 500.5 })
      expect(review).toEqual([])
      expect(at(field("caseCode"), "learnedFrom")).toHaveLength(3)
      expect(listAt(field("caseCode"), "learnedFrom")).toContainEqual(
        expect.objectContaining({ executionId: first.id, by: expect.stringMatching(/^key /u) })
      )
    })

    it("outweigh a slip; where they disagree, a person is asked, who is told which documents do", async () => {
      owner = await service.it.tenant()
      const wrong = await next({ values: [slip] })
      expect((await next()).output).toMatchObject({ caseCode: "13/04/2026" })
      const first = await next({ values: [right] })
      const disputed = await next()
      expect(disputed.review).toEqual([
        [
          "caseCode",
          expect.stringMatching(
            new RegExp(
              `^Checked documents disagree: .*${first.id}.*${wrong.id}|${wrong.id}.*${first.id}`,
              "u"
            )
          )
        ]
      ])
      await next({ values: [right] })
      await next({ values: [right] })
      const { code, output } = await next()
      expect(output).toMatchObject({ caseCode: code })
    })

    it("teach that a value is to be left empty: it goes to review, and then it is null", async () => {
      owner = await service.it.tenant()
      await next({ values: [right] })
      await next({ values: [{ path: "/caseCode", value: null }] })
      const asked = await next({ values: [{ path: "/caseCode", value: null }] })
      expect(asked.review.map(([field]) => field)).toContain("caseCode")
      await next({ values: [{ path: "/caseCode", value: null }] })
      const removed = await next({ values: [{ path: "/caseCode", value: null }] })
      expect(removed.output).toMatchObject({ caseCode: null })
    })
  })
}
