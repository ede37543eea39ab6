const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 })
const percent = new Intl.NumberFormat(undefined, { style: "percent" })
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

/** A number in the person's own notation. */
export const formatNumber = (value: number): string => number.format(value)

/** A share between 0 and 1. */
export const formatPercent = (share: number): string => percent.format(share)

/** A point in time, in the person's own time zone. */
export const formatTime = (iso: string): string => dateTime.format(new Date(iso))

const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" })

/** A day such as `2026-11-22`, without its year; empty for no day. */
export const formatDay = (day: string): string => (day === "" ? "" : date.format(new Date(day)))

/** A duration given in milliseconds: `85 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`. */
export const formatDuration = (ms: number): string => {
  if (ms < 10) return `${number.format(Math.round(ms * 10) / 10)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${number.format(Math.round(seconds * 10) / 10)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A size given in bytes. */
export const formatSize = (bytes: number): string => {
  if (bytes < 1024) return `${bytes}\u00a0bytes`
  const kib = bytes / 1024
  return kib < 1024
    ? `${number.format(Math.round(kib))}\u00a0KB`
    : `${number.format(Math.round(kib / 102.4) / 10)}\u00a0MB`
}
