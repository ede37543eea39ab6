import { rowKey } from "../candidates/Candidate.ts"
import type { Column, Field } from "../Field.ts"
import type { PageModel } from "../page/PageModel.ts"
import type { Reading } from "../page/Reading.ts"
import { type Cells, cellsOfRow } from "./TableBody.ts"
import type { TableHeader } from "./TableHeader.ts"
import { isConsistent, isRemark, rowValues, type TableRow } from "./TableRow.ts"

/** A row of the table that was found, and where. */
export interface Item {
  readonly page: number
  readonly values: TableRow
  readonly cells: Cells
}

const figures: ReadonlySet<string> = new Set(["number", "integer", "money"])

/** Text under a row belongs to it as long as it follows closely. */
const follows = (model: PageModel, last: Cells, cells: Cells): boolean =>
  cells.bbox.y - (last.bbox.y + last.bbox.h) <= 1.2 * model.lineHeight

/** Reads the rows under the headings of one table, page after page. */
export class TableReader {
  readonly items: Array<Item> = []
  readonly #reading: Reading
  readonly #field: Field
  readonly #moneyFields: ReadonlySet<string>
  readonly #texts: ReadonlyArray<Column>
  /** Whether the sum under the table has been reached. */
  ended = false
  /** The last row that belongs to the open item; none where a remark has closed it. */
  #last: Cells | undefined
  /** Behind a gap, or on a page without headings, other tables may follow: their figures must prove that they belong. */
  #strict = false

  constructor(reading: Reading, field: Field, moneyFields: ReadonlySet<string>) {
    this.#reading = reading
    this.#field = field
    this.#moneyFields = moneyFields
    this.#texts = field.columns.filter((column) => column.type === "string")
  }

  /** Reads a page from row `first` on; `continued` where the headings are those of an earlier page. */
  read(page: number, first: number, header: TableHeader, continued: boolean): void {
    const model = this.#reading.pages[page]
    if (model === undefined) return
    const numeric = this.#field.columns.filter(
      (column) => figures.has(column.type) && header.headings.some((heading) => heading.column === column)
    )
    this.#last = undefined
    this.#strict = continued && this.items.length > 0
    const before = this.items.length
    for (let row = first; row < model.rows.length && !this.ended; row++) {
      const cells = cellsOfRow(model, row, header.headings)
      const values = rowValues(this.#field.columns, cells, this.#reading)
      const filled = numeric.filter((column) => values[column.name] !== null).length
      if (this.#isSum(page, cells, filled)) {
        // A page that goes on with a table may begin with what was carried forward.
        if (this.items.length > before || before === 0) this.ended = true
      } else if (this.#isCarried(values, filled)) this.#last = undefined
      else if (filled >= Math.min(2, numeric.length)) this.#addItem({ page, values, cells }, numeric)
      else this.#addText(model, values, cells)
    }
  }

  #addItem(item: Item, numeric: ReadonlyArray<Column>): void {
    const first = this.items[0]
    const alike =
      first === undefined ||
      numeric.every(({ name }) => (first.values[name] === null) === (item.values[name] === null))
    const proven = isConsistent(item.values) === true
    const needsProof = first !== undefined && isConsistent(first.values) === true
    if (this.#strict && !proven && (needsProof || !alike)) return
    this.items.push(item)
    this.#last = item.cells
  }

  /** Whether a row only says what the rows so far add up to, at the end of a page or the beginning of the next. */
  #isCarried({ amount }: TableRow, filled: number): boolean {
    if (filled !== 1 || typeof amount !== "number" || this.items.length < 2) return false
    const sum = this.items.reduce((sum, { values }) => sum + Number(values["amount"] ?? 0), 0)
    return Math.abs(sum - amount) < 0.02
  }

  /** Adds a line of text to the description above it. */
  #addText(model: PageModel, values: TableRow, cells: Cells): void {
    const open = this.items.at(-1)
    if (open === undefined || this.#last === undefined) return
    if (!follows(model, this.#last, cells)) {
      this.#strict = true
      this.#last = undefined
      return
    }
    this.#last = cells
    for (const { name } of this.#texts) {
      const more = values[name]
      if (typeof more !== "string") continue
      if (isRemark(more)) {
        this.#strict = true
        this.#last = undefined
        return
      }
      const before = open.values[name]
      open.values[name] = typeof before === "string" ? `${before} ${more}` : more
    }
  }

  /**
   * Whether a row is the sum under the table: the label of some amount with figures in no more than one column, or with
   * nothing else where a description would stand.
   */
  #isSum(page: number, cells: Cells, filled: number): boolean {
    if (!this.#reading.moneyByRow.has(rowKey(page, cells.row))) return false
    const row = this.#reading.pages[page]?.rows[cells.row] ?? []
    const words = this.#texts.flatMap((column) => cells.byColumn.get(column.name) ?? [])
    return (this.#reading.labelsByRow.get(rowKey(page, cells.row)) ?? []).some(({ label, span, quality }) => {
      if (quality < 0.7 || !label.names || !this.#moneyFields.has(label.field)) return false
      const labelled = new Set(row.slice(span.from, span.to + 1))
      return filled <= 1 || (words.length > 0 && words.every((word) => labelled.has(word)))
    })
  }
}
