/** Documents that people send are seldom older. */
const earliest = "1990-01-01"

/** Whether an ISO date lies more than a year ahead of another. */
export const isFarAhead = (date: string, today: string): boolean =>
  date > `${String(Number(today.slice(0, 4)) + 1).padStart(4, "0")}${today.slice(4)}`

/** How well an ISO date fits a document of these days, 0–1: one far ahead or long ago is probably misread. */
export const recentness = (date: unknown, today: string): number =>
  typeof date === "string" && (date < earliest || isFarAhead(date, today)) ? 0.4 : 1

/** For how many years documents are kept, where the law says the longest. */
const yearsKept = 10

/** Whether an ISO date lies longer ago than documents are kept. */
export const isLongAgo = (date: unknown, today: string): boolean =>
  typeof date === "string" &&
  date < `${String(Number(today.slice(0, 4)) - yearsKept).padStart(4, "0")}${today.slice(4)}`
