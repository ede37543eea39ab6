import { type ComponentChildren, h } from "preact"
import { html } from "htm/preact"
import type { DayOfUse, Usage } from "../../../domain/Usage.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { loading, problemNote } from "../elements/Elements.ts"
import { formatDay, formatNumber } from "../elements/Format.ts"
import { SelectField } from "../elements/FormField.ts"
import { navigate, useAddress } from "../elements/Router.ts"
import { call } from "../elements/Http.ts"
import { useResource } from "../elements/UseResource.ts"
import { type Chart, chartOf, sum, topOf } from "./UsageSeries.ts"

/** The space between two bars, as a share of the width of a day. */
const gap = 0.25
const height = 100

/** Stacked bars, one for each day. The labels are next to the drawing, so that their size does not change with its width. */
const barChart = (title: string, { days, series }: Chart): ComponentChildren => {
  const totals = days.map((_, day) => sum(series.map(({ values }) => values[day] ?? 0)))
  const top = topOf(Math.max(0, ...totals))
  const middle = days[Math.floor((days.length - 1) / 2)] ?? ""
  return html`<figure class="chart">
    <figcaption>${title}: ${formatNumber(sum(totals))}</figcaption>
    <div class="chart-plot" aria-hidden="true">
      <div class="chart-axis">
        <span>${formatNumber(top)}</span><span>${top === 1 ? "" : formatNumber(top / 2)}</span><span>0</span>
      </div>
      <svg viewBox=${`0 0 ${days.length} ${height}`} preserveAspectRatio="none">
        ${[0, height / 2, height].map((y) => html`<line class="chart-line" x1="0" x2=${days.length} y1=${y} y2=${y} />`)}
        ${days.map((day, index) => bar(day, index, { days, series }, top))}
      </svg>
      <div class="chart-days">
        <span>${formatDay(days[0] ?? "")}</span><span>${formatDay(middle)}</span
        ><span>${formatDay(days.at(-1) ?? "")}</span>
      </div>
    </div>
  </figure>`
}

const bar = (day: string, index: number, { series }: Chart, top: number): ComponentChildren => {
  let below = 0
  const parts = series.flatMap(({ name, values }, number) => {
    const value = values[index] ?? 0
    if (value <= 0) return []
    const own = (value / top) * height
    below += own
    return [{ name, value, number, y: height - below, own }]
  })
  const told = parts.map(({ name, value }) => `${name} ${formatNumber(value)}`)
  return html`<g>
    <title>${[formatDay(day), ...(told.length === 0 ? ["nothing"] : told)].join("\n")}</title>
    <rect class="chart-day" x=${index} y="0" width="1" height=${height} />
    ${parts.map(
      ({ number, own, y }) =>
        html`<rect
          class=${`series-${number + 1}`}
          x=${index + gap / 2}
          y=${y}
          width=${1 - gap}
          height=${own}
        />`
    )}
  </g>`
}

/** The names of the series with their colours and what each adds up to. */
const chartLegend = ({ series }: Chart): ComponentChildren =>
  html`<ul class="chart-legend">
    ${series.map(
      ({ name, values }, number) =>
        html`<li>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect class=${`series-${number + 1}`} width="10" height="10" rx="2" />
          </svg>
          ${name} <span class="quiet">${formatNumber(sum(values))}</span>
        </li>`
    )}
  </ul>`

interface UsageProps {
  /** All organizations if it is omitted. */
  readonly organizationId?: string
  /** What the bars are divided by. */
  readonly by: "Flow" | "Organization"
  readonly empty: ComponentChildren
}

/** The refresh interval of the charts, in milliseconds. */
const refreshEvery = 60_000

/** Executions, pages and credits for each of the last 30 days, live and test apart. */
export const UsageView = ({ by, empty, organizationId }: UsageProps): ComponentChildren => {
  const { data, problem } = useResource<Usage>(
    call("GET /dashboard/api/usage", { organizationId }),
    () => refreshEvery
  )
  const { pathname, searchParams } = useAddress()
  const [environment, only] = [searchParams.get("environment") ?? "live", searchParams.get("of") ?? ""]
  // In the address, so that Back and a reload find it again.
  const choose = (name: string) => (value: string) =>
    navigate(`${pathname}?${new URLSearchParams({ environment, of: only, [name]: value })}`, "replace")
  if (data === undefined) return loading(problem)
  const wanted = (use: DayOfUse) => use.environment === environment && (only === "" || use.of === only)
  const used = data.days.filter(wanted)
  const executions = chartOf(data, "executions", wanted)
  return html`<section class="card" aria-labelledby="usage">
    <h2 id="usage">Usage of the last ${executions.days.length} days</h2>
    ${problemNote(problem)}
    <div class="fields filters">
      ${h(SelectField, {
        name: "environment",
        label: "Environment",
        value: environment,
        options: [
          ["live", "live"],
          ["test", "test"]
        ],
        onChange: choose("environment")
      })}
      ${h(SelectField, { name: "of", label: by, value: only, options: choicesOf(data), onChange: choose("of") })}
    </div>
    ${
      used.length === 0
        ? html`<p class="empty">
            ${data.days.length === 0 ? empty : `Nothing was used of what you chose. Choose another ${by.toLowerCase()} or environment.`}
          </p>`
        : html`${chartLegend(executions)}
            <div class="charts">
              ${barChart("Executions", executions)} ${barChart("Pages", chartOf(data, "pages", wanted))}
              ${barChart("Credits", chartOf(data, "credits", wanted))}
            </div>
            <p class="quiet">Days are in UTC; an execution counts on the day it was accepted.</p>
            <details>
              <summary>The numbers as a table</summary>
              ${table({
                caption: "Usage by day",
                columns: columnsOf(data, by),
                rows: used.toReversed(),
                keyOf: ({ day, environment: own, of }) => `${day} ${own} ${of}`,
                empty: ""
              })}
            </details>`
    }
  </section>`
}

const choicesOf = ({ days, names }: Usage): ReadonlyArray<readonly [value: string, text: string]> => [
  ["", "all"],
  ...[...new Set(days.map(({ of }) => of))]
    .map((of) => [of, names[of] ?? of] as const)
    .sort(([, one], [, other]) => one.localeCompare(other))
]

const columnsOf = ({ names }: Usage, by: string): ReadonlyArray<Column<DayOfUse>> => [
  { title: "Day", cell: ({ day }) => html`<time datetime=${day}>${formatDay(day)}</time>` },
  { title: by, cell: ({ of }) => names[of] ?? of },
  { title: "Executions", cell: ({ executions }) => formatNumber(executions), numeric: true },
  { title: "Pages", cell: ({ pages }) => formatNumber(pages), numeric: true },
  { title: "Credits", cell: ({ credits }) => formatNumber(credits), numeric: true }
]
