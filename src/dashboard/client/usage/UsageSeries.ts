import type { DayOfUse, Usage } from "../../../domain/Usage.ts"

/** What a chart counts. */
export type Measure = "executions" | "pages" | "credits"

/** One part of every bar: a flow, an organization, or all others together. */
interface Series {
  readonly name: string
  /** A value for each day, in the order of the days. */
  readonly values: ReadonlyArray<number>
}

/** The days of a chart and its series, the largest first. */
export interface Chart {
  readonly days: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
}

/** More series would not be told apart by their colours. */
const mostSeries = 5

const dayInMs = 86_400_000

/** Every day from the first to the last, as `2026-11-22`. */
export const daysOf = ({ from, until }: Pick<Usage, "from" | "until">): ReadonlyArray<string> => {
  const first = Date.parse(from)
  const count = Math.round((Date.parse(until) - first) / dayInMs) + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * dayInMs).toISOString().slice(0, 10)
  )
}

/** A chart of one measure; series beyond the fifth are added up as "others". */
export const chartOf = (usage: Usage, measure: Measure, wanted: (use: DayOfUse) => boolean): Chart => {
  const days = daysOf(usage)
  const used = usage.days.filter(wanted)
  const all = [...Map.groupBy(used, ({ of }) => of)]
    .map(([of, own]) => ({
      name: usage.names[of] ?? of,
      executions: sum(own.map(({ executions }) => executions)),
      values: days.map((day) => sum(own.filter((use) => use.day === day).map((use) => use[measure])))
    }))
    // By their executions, so that a colour means the same in every chart.
    .sort((one, other) => other.executions - one.executions || one.name.localeCompare(other.name))
  const named = all.slice(0, mostSeries).map(({ name, values }) => ({ name, values }))
  const rest = all.slice(mostSeries)
  if (rest.length === 0) return { days, series: named }
  const others = days.map((_, index) => sum(rest.map(({ values }) => values[index] ?? 0)))
  return { days, series: [...named, { name: "others", values: others }] }
}

/** The sum of some numbers, to four decimals as credits have them. */
export const sum = (values: ReadonlyArray<number>): number =>
  Math.round(values.reduce((total, value) => total + value, 0) * 10_000) / 10_000

/** The top of an axis: 1, 2 or 5 times a power of ten, at or above a value. */
export const topOf = (largest: number): number => {
  if (largest <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  return ([1, 2, 4, 6, 8, 10].find((factor) => factor * power >= largest) ?? 10) * power
}
