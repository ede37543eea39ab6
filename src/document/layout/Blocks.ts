/**
 * A block of a document without a layout. `text` may contain line feeds for line breaks of the document; its reader has
 * collapsed other white space.
 */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  /** An item of a list; `marker` is its bullet or number: `-` or `3.`. */
  | { readonly kind: "item"; readonly depth: number; readonly marker: string; readonly text: string }
  /** Preformatted text. */
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "table"; readonly rows: ReadonlyArray<ReadonlyArray<string>> }

/** One page of such a document: a sheet, a slide, or all of it. */
export interface BlockPage {
  readonly blocks: ReadonlyArray<Block>
  /** The page as Markdown, if it was written as Markdown; otherwise it is made from the blocks. */
  readonly markdown?: string
}

/** The rows of a table without empty columns and rows at its edges; all of the same length. */
export const trimmedRows = (rows: ReadonlyArray<ReadonlyArray<string>>): Array<Array<string>> => {
  const used = rows.filter((row) => row.some((cell) => cell !== ""))
  const width = used.reduce((most, row) => Math.max(most, row.length), 0)
  const full = Array.from({ length: width }, () => false)
  for (const row of used) for (const [i, cell] of row.entries()) if (cell !== "") full[i] = true
  return used.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? "").filter((_, i) => full[i]))
}
