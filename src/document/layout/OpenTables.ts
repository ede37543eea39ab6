import { trimmedRows } from "./Blocks.ts"

/** A column span or a repetition beyond this is an attack. */
const mostCells = 64

interface OpenTable {
  readonly rows: Array<Array<string>>
  /** The paragraphs of the current cell. */
  cell: Array<string>
  span: number
}

/** A complete table: its rows, and text inside it but outside its cells, such as a caption. */
export interface EndedTable {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly rest: string
}

/** A number of cells as a document claims it; 1 if that is not a number. */
export const cellCount = (claimed: string | undefined): number =>
  Math.min(mostCells, Math.max(1, Math.floor(Number(claimed)) || 1))

/** The nested tables around the current position of a reader that reads a document from beginning to end. */
export class OpenTables {
  readonly #open: Array<OpenTable> = []

  /** Begins a table, inside the current cell if there is one. */
  begin(): void {
    this.#open.push({ rows: [], cell: [], span: 1 })
  }

  /** Begins a row of the innermost table. */
  beginRow(): void {
    this.#open.at(-1)?.rows.push([])
  }

  /** Sets the number of columns of the current cell. */
  spanCell(columns: number): void {
    const table = this.#open.at(-1)
    if (table !== undefined) table.span = columns
  }

  /** Adds a paragraph to the current cell. False if there is no table. */
  add(text: string): boolean {
    const table = this.#open.at(-1)
    table?.cell.push(text)
    return table !== undefined
  }

  /** Ends the current cell. A cell over several columns leaves the others empty, so that columns stay aligned. */
  endCell(times = 1): void {
    const table = this.#open.at(-1)
    if (table === undefined) return
    if (table.rows.length === 0) table.rows.push([])
    const row = table.rows.at(-1)
    const text = table.cell.join("\n")
    for (let i = 0; i < times; i++) row?.push(text)
    for (let i = 1; i < table.span; i++) row?.push("")
    table.cell = []
    table.span = 1
  }

  /** Ends the innermost table. A nested table becomes text of its cell; only the outermost table is returned. */
  end(): EndedTable | undefined {
    const table = this.#open.pop()
    if (table === undefined) return undefined
    const rows = trimmedRows(table.rows)
    const rest = table.cell.join("\n")
    const outer = this.#open.at(-1)
    if (outer === undefined) return { rows, rest }
    for (const row of rows) outer.cell.push(row.filter((cell) => cell !== "").join(" "))
    if (rest !== "") outer.cell.push(rest)
    return undefined
  }
}
