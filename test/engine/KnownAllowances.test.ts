import { assert, describe, it } from "@effect/vitest"
import { Allowances } from "../../src/engine/placement/KnownAllowances.ts"
import type { Tenancy } from "../../src/engine/placement/Tenancy.ts"

const tenancy: Tenancy = { organizationId: "org", environment: "live" }
const limit = 4

const after = (...accepted: ReadonlyArray<readonly [string, number]>) => {
  const allowances = new Allowances()
  for (const [id, credits] of accepted) allowances.accepted(tenancy, id, credits)
  return allowances
}

describe("what a process knows of an organization's allowance", () => {
  it("is nothing before its first run, and after a refusal until the next one that is accepted", () => {
    assert.isFalse(after().haveRoom(tenancy, 0, limit))
    const allowances = after(["a", 100])
    assert.isTrue(allowances.haveRoom(tenancy, 1, limit))
    assert.isFalse(allowances.haveRoom({ ...tenancy, environment: "test" }, 1, limit))
    allowances.refused(tenancy)
    assert.isFalse(allowances.haveRoom(tenancy, 1, limit))
    assert.isFalse(allowances.haveRoom(tenancy, 0, limit), "nor a run that costs nothing")
    allowances.accepted(tenancy, "b", 99)
    assert.isTrue(allowances.haveRoom(tenancy, 1, limit))
    allowances.clear()
    assert.isFalse(allowances.haveRoom(tenancy, 1, limit))
  })

  it("is kept of those who come again, however many there are", () => {
    const allowances = after(["a", 100])
    for (let number = 1; number < 10_000; number++)
      allowances.accepted({ organizationId: `org ${number}`, environment: "live" }, `${number}`, 100)
    allowances.accepted(tenancy, "b", 99)
    allowances.accepted(tenancy, "c", 98)
    assert.isTrue(allowances.areUsedUp(tenancy, 3))
  })

  it("has room for a run if the credits suffice for two", () => {
    assert.isTrue(after(["a", 2]).haveRoom(tenancy, 1, limit))
    assert.isFalse(after(["a", 1.9]).haveRoom(tenancy, 1, limit))
  })

  it("has credits for a run if the last one left them, whatever the limit, and none after a refusal", () => {
    assert.isFalse(after().haveCredits(tenancy, 0))
    const allowances = after(["a", 9], ["b", 8], ["c", 7], ["d", 6])
    assert.isTrue(allowances.haveCredits(tenancy, 6))
    assert.isFalse(allowances.haveCredits(tenancy, 7))
    allowances.refused(tenancy)
    assert.isFalse(allowances.haveCredits(tenancy, 0))
  })

  it("has room for a run if two may still be unfinished; an execution ends once, whoever accepted it", () => {
    const allowances = after(["a", 100], ["b", 99], ["c", 98])
    assert.isFalse(allowances.haveRoom(tenancy, 1, limit))
    allowances.ended("of another process")
    assert.isFalse(allowances.haveRoom(tenancy, 1, limit))
    allowances.ended("b")
    assert.isTrue(allowances.haveRoom(tenancy, 1, limit))
    allowances.accepted(tenancy, "d", 97)
    allowances.ended("b")
    assert.isFalse(allowances.haveRoom(tenancy, 1, limit))
  })

  it("is used up by runs that are being checked as well, where many may run at once", () => {
    const allowances = after(["a", 100])
    const runs = Array.from({ length: 15 }, () => allowances.asking(tenancy))
    assert.isFalse(allowances.areUsedUp(tenancy, 16))
    for (const run of runs) run.begin()
    assert.isTrue(allowances.areUsedUp(tenancy, 16))
    assert.isFalse(allowances.areUsedUp(tenancy, 17))
    assert.isFalse(allowances.areUsedUp(tenancy, limit), "each of a few runs is asked for")
    for (const run of runs.slice(1)) run.end()
    runs[1]?.end()
    assert.isFalse(allowances.areUsedUp(tenancy, 16))
    allowances.clear()
    runs[0]?.end()
    for (const run of runs) run.begin()
    assert.isFalse(allowances.areUsedUp(tenancy, 16))
    allowances.accepted(tenancy, "b", 99)
    assert.isTrue(allowances.areUsedUp(tenancy, 16))
  })

  it("is used up when as many are unfinished as may be, and corrected by what the database counts", () => {
    const allowances = after(["a", 100], ["b", 99], ["c", 98], ["d", 97])
    assert.isTrue(allowances.areUsedUp(tenancy, limit))
    assert.isFalse(allowances.areUsedUp(tenancy, limit + 1))
    allowances.counted(tenancy, 1)
    assert.isFalse(allowances.areUsedUp(tenancy, limit))
    allowances.counted(tenancy, 4)
    for (const id of ["a", "b", "c", "d"]) allowances.ended(id)
    assert.isTrue(allowances.haveRoom(tenancy, 1, 2))
  })
})
