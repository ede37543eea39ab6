import { expect, test } from "vitest"
import { BodyBudget } from "../../src/http/JsonBody.ts"

const budget = () => new BodyBudget({ inFlight: 900, requests: 9 })

test("an organization has a third of all bytes, and what it lacks the others still have", () => {
  const bodies = budget()
  bodies.enter("a")
  bodies.add("a", 300)
  expect(bodies.excess("a")).toBeUndefined()
  expect(bodies.excess("a", 1)).toBe("owner")
  expect(bodies.excess("b", 300)).toBeUndefined()
})

test("an organization has a third of all requests", () => {
  const bodies = budget()
  for (let count = 0; count < 3; count++) bodies.enter("a")
  expect(bodies.excess("a")).toBeUndefined()
  bodies.enter("a")
  expect(bodies.excess("a")).toBe("owner")
  expect(bodies.excess("b")).toBeUndefined()
})

test("all organizations together have the whole budget", () => {
  const bodies = budget()
  for (const owner of ["a", "b", "c"]) {
    bodies.enter(owner)
    bodies.add(owner, 300)
  }
  bodies.enter("d")
  expect(bodies.excess("d")).toBeUndefined()
  expect(bodies.excess("d", 1)).toBe("all")
})

test("nothing is left of a body that is over", () => {
  const bodies = budget()
  for (let count = 0; count < 4; count++) {
    bodies.enter("a")
    bodies.add("a", 100)
  }
  for (let count = 0; count < 4; count++) bodies.leave("a", 100)
  bodies.enter("a")
  expect(bodies.excess("a", 300)).toBeUndefined()
  expect(bodies.excess("b", 300)).toBeUndefined()
})
