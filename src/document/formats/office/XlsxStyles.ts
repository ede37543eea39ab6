import { type Attributes, attribute, readXml } from "../xml/Xml.ts"

/** Excel's own formats for dates and times. */
const builtIn = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57])

/** Whether a format is for dates: it contains a part of a date, outside of quotes and colours. */
const isDateFormat = (format: string): boolean =>
  /[ymdhs]/iu.test(
    format.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_.|\*./giu, "").replace(/general|e[+-]/giu, "")
  )

/** How a cell shows its number. */
export type CellFormat =
  | { readonly kind: "general" }
  | { readonly kind: "date" }
  | {
      readonly kind: "number"
      /** Digits after the point. */
      readonly decimals: number
      readonly percent: boolean
      /** The currency before or after the number, as written in the format. */
      readonly before: string
      readonly after: string
    }

/** Excel's own formats for numbers, by their ids. */
const builtInNumbers: Readonly<Record<number, string>> = { 2: "0.00", 4: "#,##0.00", 9: "0%", 10: "0.00%" }

const currencyOf = (part: string): string =>
  [...part.matchAll(/\[\$([^\]-]+)(?:-[^\]]*)?\]|"([^"]*)"|(\p{Sc})/gu)]
    .map(([, bracket, quoted, sign]) => (bracket ?? quoted ?? sign ?? "").trim())
    .filter((text) => /^(?:\p{Sc}|[A-Z]{3}|\p{L}{1,2}\.?\p{Sc}?)$/u.test(text))
    .join("")

const numberFormat = (format: string): CellFormat => {
  const positive = format.split(";")[0] ?? ""
  const digits = /[#0?][#0?,. ]*/u.exec(
    positive.replace(/"[^"]*"|\[[^\]]*\]/gu, (text) => "_".repeat(text.length))
  )
  if (digits === null) return { kind: "general" }
  const decimals = /\.(0+)/u.exec(digits[0])?.[1]?.length ?? 0
  const percent = positive.replace(/"[^"]*"/gu, "").includes("%")
  const before = currencyOf(positive.slice(0, digits.index))
  const after = currencyOf(positive.slice(digits.index + digits[0].length))
  // Formats such as "0" and "#,##0" may hide decimals that the reader of the document needs.
  const plain = decimals === 0 && !percent && before === "" && after === ""
  return plain ? { kind: "general" } : { kind: "number", decimals, percent, before, after }
}

/** The format of each cell style of a workbook, in the order in which cells refer to them. */
export const readCellFormats = (bytes: Uint8Array | undefined): ReadonlyArray<CellFormat> => {
  const custom = new Map<number, string>()
  const formats: Array<CellFormat> = []
  let inCells = false
  const open = (name: string, attributes: Attributes) => {
    const id = Number(attribute(attributes, "numFmtId") ?? 0)
    if (name === "numFmt") custom.set(id, attribute(attributes, "formatCode") ?? "")
    else if (name === "cellXfs") inCells = true
    else if (name === "xf" && inCells) {
      const format = custom.get(id) ?? builtInNumbers[id] ?? ""
      formats.push(builtIn.has(id) || isDateFormat(format) ? { kind: "date" } : numberFormat(format))
    }
  }
  const close = (name: string) => {
    if (name === "cellXfs") inCells = false
  }
  if (bytes !== undefined) readXml(bytes, { open, close })
  return formats
}

/** A number as a cell shows it: `19%`, `12.50`, `€1200.00`; always with a decimal point and without groups. */
export const numberText = (value: number, format: CellFormat | undefined): string => {
  // Excel shows fifteen digits; the rest is an artifact of binary fractions.
  if (format?.kind !== "number") return String(Number(value.toPrecision(15)))
  const { after, before, decimals, percent } = format
  const shown = Number((percent ? value * 100 : value).toPrecision(15))
  const text = percent ? String(shown) : shown.toFixed(decimals)
  return `${before}${text}${percent ? "%" : ""}${after === "" ? "" : ` ${after}`}`
}

const day = 86_400_000

/** A day number of Excel as an ISO date; with the time where it has one, the time alone where it has no day. */
export const dateText = (serial: number, from1904: boolean): string => {
  const start = Date.UTC(from1904 ? 1904 : 1899, from1904 ? 0 : 11, from1904 ? 1 : 30)
  const date = new Date(start + Math.round(serial * 86_400) * 1000)
  if (Number.isNaN(date.getTime())) return String(serial)
  const iso = date.toISOString()
  const time = iso.slice(11, 19)
  if (serial < 1 && serial >= 0) return time
  return date.getTime() % day === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}
