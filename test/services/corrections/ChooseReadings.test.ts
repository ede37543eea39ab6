import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { chooseReadings, type Chosen } from "../../../src/services/corrections/ChooseReadings.ts"

/** Chooses where only numbers are right, except in the column `name`, and counts how often it tried. */
const choose = async (
  items: ReadonlyArray<readonly [column: string, ...readings: ReadonlyArray<unknown>]>
) => {
  let tries = 0
  const problemOf = (chosen: Chosen<string>) =>
    Effect.sync(() => {
      tries += 1
      const wrong = chosen.find(([item, value]) => !item.startsWith("name") && typeof value !== "number")
      return wrong === undefined ? undefined : `${wrong[0]} is no number`
    })
  const readable = items.map(([column, ...readings], at) => ({ item: `${column} ${at}`, readings, column }))
  const choice = await Effect.runPromise(chooseReadings(readable, problemOf))
  return { choice, tries }
}

const times = <A>(count: number, item: A) => Array.from({ length: count }, () => item)

describe("the readings of corrections", () => {
  it("are tried once for thousands of values that are right", async () => {
    const { choice, tries } = await choose(times(2000, ["amount", 1] as const))
    expect([choice._tag, tries]).toEqual(["Chosen", 1])
    expect(await choose([])).toEqual({ choice: { _tag: "Chosen", all: [] }, tries: 1 })
  })

  it("change for a column at once, and for no other", async () => {
    const column = times(500, ["amount", "7", 7] as const)
    const { choice, tries } = await choose([["name", "7", 7], ...column, ["size", 3], ["name", "7", 7]])
    expect(tries).toBeLessThan(15)
    if (choice._tag !== "Chosen") throw new Error("it was refused")
    expect(choice.all.map(([, value]) => value)).toEqual(["7", ...times(500, 7), 3, "7"])
  })

  it.each([0, 1, 777, 1999])("of item %i are refused where none is right", async (wrong) => {
    const right = times(2000, ["amount", 1] as const)
    const { choice, tries } = await choose(
      right.map((item, at) => (at === wrong ? ["amount", "a", "b"] : item))
    )
    const item = `amount ${wrong}`
    expect(choice).toEqual({ _tag: "Refused", item, reason: `${item} is no number` })
    expect(tries).toBeLessThan(30)
  })
})
