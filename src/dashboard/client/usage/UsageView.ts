import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { DayOfUse, Usage } from "../../../domain/Usage.ts"
import { barChart, chartLegend } from "./BarChart.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { loading, problemNote } from "../elements/Elements.ts"
import { formatDay, formatNumber } from "../elements/Format.ts"
import { SelectField } from "../elements/FormField.ts"
import { navigate, useAddress } from "../elements/Router.ts"
import { chartOf } from "./UsageSeries.ts"
import { useResource } from "../elements/UseResource.ts"

interface UsageProps {
  readonly path: string
  /** What the bars are divided by. */
  readonly by: "Flow" | "Organization"
  readonly empty: ComponentChildren
}

/** The refresh interval of the charts, in milliseconds. */
const refreshEvery = 60_000

/** Executions, pages and credits for each of the last 30 days, live and test apart. */
export const UsageView = ({ by, empty, path }: UsageProps): ComponentChildren => {
  const { data, problem } = useResource<Usage>(path, () => refreshEvery)
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
