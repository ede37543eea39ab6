import { textTable } from "../TextTable.ts"
import { needsReview, type RunLine } from "./RunLine.ts"

const longest = 60

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

const remark = ({ result, review }: RunLine): string =>
  result.error === undefined
    ? review.map(({ confidence, field }) => `${field} ${Math.round(confidence * 100)} %`).join(", ")
    : result.error.message

/** The summary of a batch: a row for each document, and the totals. */
export const batchTable = (lines: ReadonlyArray<RunLine>): string => {
  const rows = lines.map((line) => [
    line.file,
    line.result.status,
    String(line.result.metrics?.pageCount ?? "–"),
    cut(remark(line).replace(/\s+/gu, " "))
  ])
  const failed = lines.filter(({ result }) => result.status === "failed").length
  const review = lines.filter(needsReview).length - failed
  const totals = `${lines.length} documents: ${lines.length - failed} completed, ${review} to review, ${failed} failed`
  return [...textTable([["file", "status", "pages", "to review"], ...rows]), "", totals].join("\n")
}
