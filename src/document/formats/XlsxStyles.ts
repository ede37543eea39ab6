import { type Attributes, attribute, readXml } from "./Xml.ts"

/** Excel's own formats for dates and times. */
const builtIn = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57])

/** A format is one for dates if it asks for a part of a date, outside of quotes and colours. */
const isDateFormat = (format: string): boolean =>
  /[ymdhs]/iu.test(
    format.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_.|\*./giu, "").replace(/general|e[+-]/giu, "")
  )

/** For each cell format of a workbook, whether it shows a number as a date. */
export const readDateFormats = (bytes: Uint8Array | undefined): ReadonlyArray<boolean> => {
  const custom = new Map<number, string>()
  const formats: Array<boolean> = []
  let inCells = false
  const open = (name: string, attributes: Attributes) => {
    const id = Number(attribute(attributes, "numFmtId") ?? 0)
    if (name === "numFmt") custom.set(id, attribute(attributes, "formatCode") ?? "")
    else if (name === "cellXfs") inCells = true
    else if (name === "xf" && inCells) formats.push(builtIn.has(id) || isDateFormat(custom.get(id) ?? ""))
  }
  const close = (name: string) => {
    if (name === "cellXfs") inCells = false
  }
  if (bytes !== undefined) readXml(bytes, { open, close })
  return formats
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
