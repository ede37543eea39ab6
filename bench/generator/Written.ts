import type { Tongue } from "./Tongues.ts"

const pad = (value: string): string => value.padStart(2, "0")

/** An ISO date as a country writes it, by a pattern of `Tongue.dates`. */
export const writtenDate = (iso: string, pattern: string, { country, tag }: Tongue): string => {
  const [year = "", month = "", day = ""] = iso.split("-")
  const date = new Date(`${iso}T00:00:00Z`)
  const named = (style: "long" | "short") =>
    new Intl.DateTimeFormat(`${tag}-${country}`, { month: style, timeZone: "UTC" }).format(date)
  if (pattern === "long")
    return new Intl.DateTimeFormat(`${tag}-${country}-u-ca-gregory-nu-latn`, {
      dateStyle: "long",
      timeZone: "UTC"
    }).format(date)
  return pattern
    .replace("YYYY", year)
    .replace("YY", year.slice(2))
    .replace("Mon", named("short"))
    .replace("MM", month)
    .replace("DD", day)
    .replace(/\bM(?=\W|月|$)/u, String(Number(month)))
    .replace(/月?\bD(?=\W|日|$)/u, (found) => found.replace("D", String(Number(day))))
    .replace("年M月", `年${Number(month)}月`)
    .replace("月D日", `月${pad(day)}日`)
}

/** How a document writes amounts. */
export interface AmountStyle {
  readonly group: string
  readonly decimal: string
  readonly decimals: number
}

/** A number with the signs of a style. */
export const writtenNumber = (value: number, { decimal, decimals, group }: AmountStyle): string => {
  const [whole = "", rest] = Math.abs(value).toFixed(decimals).split(".")
  const grouped = whole.replace(/(?=(?:\d{3})+$)(?!^)/gu, group)
  return `${value < 0 ? "-" : ""}${grouped}${rest === undefined ? "" : decimal + rest}`
}
