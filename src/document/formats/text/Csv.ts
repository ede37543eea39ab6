import { trimmedRows } from "../../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { csvDelimiter, csvRows } from "./CsvRows.ts"
import type { FormatReader } from "../FormatReader.ts"
import { textOf } from "./PlainText.ts"

const read = (bytes: Uint8Array): BlockDocument => {
  const text = textOf(bytes)
  const rows = trimmedRows(csvRows(text, csvDelimiter(text) ?? ","))
  return { pages: [() => ({ blocks: rows.length === 0 ? [] : [{ kind: "table", rows }] })] }
}

/** The reader for CSV, with commas, semicolons, tabs or bars between the cells: one table on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
