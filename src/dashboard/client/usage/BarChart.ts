import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import { formatDay, formatNumber } from "../elements/Format.ts"
import { type Chart, sum, topOf } from "./UsageSeries.ts"

/** The space between two bars, as a share of the width of a day. */
const gap = 0.25
const height = 100

/** Stacked bars, one for each day. The labels are next to the drawing, so that their size does not change with its width. */
export const barChart = (title: string, { days, series }: Chart): ComponentChildren => {
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
export const chartLegend = ({ series }: Chart): ComponentChildren =>
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
