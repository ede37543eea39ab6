import type { DocumentIR, Page, Table } from "../../domain/DocumentIR.ts"

/** A table of a document, with the page on which it begins. */
export interface DocumentTable {
  readonly page: number
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

interface Growing {
  readonly page: number
  readonly rows: Array<ReadonlyArray<string>>
  /** Its part on the last page so far. */
  last: { readonly page: Page; readonly table: Table }
}

const textsOf = (table: Table): Array<ReadonlyArray<string>> =>
  table.rows.map((row) => row.map((cell) => cell.text))

const widthOf = (table: Table): number => Math.max(0, ...table.rows.map((row) => row.length))

/** Whether lines are the header or footer of a page: one or two lines at its edge, with page numbers or titles. */
const isMargin = (count: number): boolean => count <= 3

const linesBelow = ({ lines }: Page, table: Table): number =>
  lines.filter(({ bbox }) => bbox.y >= table.bbox.y + table.bbox.h - 1).length

const linesAbove = ({ lines }: Page, table: Table): number =>
  lines.filter(({ bbox }) => bbox.y + bbox.h <= table.bbox.y + 1).length

/** Whether a table continues one of the page before: as many columns, as wide, at the page's end and beginning. */
const continues = (before: Growing["last"], page: Page, table: Table): boolean =>
  page.pageNumber === before.page.pageNumber + 1 &&
  widthOf(before.table) === widthOf(table) &&
  Math.abs(before.table.bbox.x - table.bbox.x) < 0.05 * page.width &&
  Math.abs(before.table.bbox.w - table.bbox.w) < 0.08 * page.width &&
  isMargin(linesBelow(before.page, before.table)) &&
  isMargin(linesAbove(page, table))

/** How many rows at the beginning of the second part repeat the head of the first; never all of them. */
const repeatedRows = (
  head: ReadonlyArray<ReadonlyArray<string>>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): number => {
  let same = 0
  while (
    same < Math.min(head.length, rows.length - 1, 5) &&
    (rows[same] ?? []).join("\t") === (head[same] ?? []).join("\t")
  ) {
    same++
  }
  return same
}

/** Whether tables can continue on the next page: those of sheets and slides do not. */
const flows = (document: DocumentIR): boolean => document.extras["layout"] !== "synthetic"

/** The tables of a document; one that continues on the next page is one table. */
export const tablesOf = (document: DocumentIR): ReadonlyArray<DocumentTable> => {
  const found: Array<Growing> = []
  for (const page of document.pages) {
    for (const [i, table] of (page.tables ?? []).entries()) {
      const before = found.at(-1)
      const rows = textsOf(table)
      if (i === 0 && before !== undefined && flows(document) && continues(before.last, page, table)) {
        before.rows.push(...rows.slice(repeatedRows(before.rows, rows)))
        before.last = { page, table }
      } else found.push({ page: page.pageNumber, rows, last: { page, table } })
    }
  }
  return found.map(({ page, rows }) => ({ page, rows }))
}
