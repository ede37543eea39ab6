import { type Block, trimmedRows } from "../../layout/Blocks.ts"

/** A paragraph whose text was set in columns by tabs. */
export interface TabbedLine {
  /** Where its tab stops are; columns are aligned in paragraphs with the same. */
  readonly stops: string
  readonly cells: ReadonlyArray<string>
}

/** The lines in columns among the paragraphs of a document. */
export type TabbedLines = ReadonlyMap<Block, TabbedLine>

/** Parts a paragraph at its tabs; undefined where it has no stops of its own, or words in fewer than two parts. */
export const tabbedLine = (text: string, stops: string): TabbedLine | undefined => {
  if (stops === "" || text.includes("\n")) return undefined
  const cells = text.split("\t").map((cell) => cell.replace(/ +/gu, " ").trim())
  return cells.filter((cell) => cell !== "").length < 2 ? undefined : { stops, cells }
}

/** Lines one after another with the same tab stops are a table: people set tables in letters so. */
export const withTabbedTables = (blocks: ReadonlyArray<Block>, tabbed: TabbedLines): ReadonlyArray<Block> => {
  const made: Array<Block> = []
  let run: Array<{ readonly block: Block; readonly line: TabbedLine }> = []
  const endRun = (): void => {
    if (run.length > 1) made.push({ kind: "table", rows: trimmedRows(run.map(({ line }) => line.cells)) })
    else for (const { block } of run) made.push(block)
    run = []
  }
  for (const block of blocks) {
    const line = tabbed.get(block)
    if (line === undefined || line.stops !== run[0]?.line.stops) endRun()
    if (line === undefined) made.push(block)
    else run.push({ block, line })
  }
  endRun()
  return made
}
