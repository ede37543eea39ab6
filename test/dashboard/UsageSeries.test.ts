import { describe, expect, it } from "vitest"
import type { Usage } from "../../src/domain/Usage.ts"
import { chartOf, daysOf, topOf } from "../../src/dashboard/client/usage/UsageSeries.ts"

const use = (of: string, day: string, executions: number): Usage["days"][number] => ({
  of,
  day,
  environment: "live",
  executions,
  pages: 2 * executions,
  credits: 0.1 * executions
})

describe("the series of a chart", () => {
  it("have a value for every day, across the end of a month", () => {
    const days = ["2026-02-27", "2026-02-28", "2026-03-01"]
    expect(daysOf({ from: "2026-02-27", until: "2026-03-01" })).toEqual(days)
    const usage = {
      from: "2026-02-27",
      until: "2026-03-01",
      days: [use("a", "2026-02-27", 3), use("a", "2026-03-01", 1)],
      names: { a: "Harbour Office" }
    }
    expect(chartOf(usage, "credits", () => true)).toEqual({
      days,
      series: [{ name: "Harbour Office", values: [0.3, 0, 0.1] }]
    })
    expect(chartOf(usage, "pages", ({ day }) => day === "2026-03-01").series).toEqual([
      { name: "Harbour Office", values: [0, 0, 2] }
    ])
  })

  it("are the five with the most executions, in the same order for every measure, and all others together", () => {
    const days = ["a", "b", "c", "d", "e", "f", "g"].map((of, index) => use(of, "2026-03-01", index + 1))
    const usage = { from: "2026-03-01", until: "2026-03-01", days, names: {} }
    const { series } = chartOf(usage, "pages", () => true)
    expect(series.map(({ name, values }) => [name, values[0]])).toEqual([
      ["g", 14],
      ["f", 12],
      ["e", 10],
      ["d", 8],
      ["c", 6],
      ["others", 6]
    ])
  })

  it.each([
    [0, 1],
    [1, 1],
    [0.3, 0.4],
    [3, 4],
    [5, 6],
    [7, 8],
    [151, 200],
    [1000, 1000]
  ])("end at a round number: %s under %s", (largest, top) => {
    expect(topOf(largest)).toBe(top)
  })
})
