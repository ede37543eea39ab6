import type { Block } from "../../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import type { FormatReader } from "../FormatReader.ts"
import { textOf } from "./PlainText.ts"

const isRule = (line: string): boolean =>
  line.length < 5000 && /^\s*\|?(?:\s*:?-{3,}:?\s*\|)+(?:\s*:?-{3,}:?)?\s*$/u.test(line)

const cells = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\||\|$/gu, "")
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

/** The blocks of a text document: lines as written, and tables. */
const blocksOf = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const lines = text.split("\n")
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (line.includes("|") && isRule(lines[at + 1] ?? "")) {
      const rows = [cells(line)]
      at += 2
      while (at < lines.length && (lines[at] ?? "").includes("|")) rows.push(cells(lines[at++] ?? ""))
      blocks.push({ kind: "table", rows })
    } else {
      if (line.trim() !== "") blocks.push({ kind: "paragraph", text: line })
      at++
    }
  }
  return blocks
}

const read = (bytes: Uint8Array): BlockDocument => {
  const markdown = textOf(bytes)
  return { pages: [() => ({ blocks: blocksOf(markdown), markdown: markdown.trim() })] }
}

/** The reader for Markdown: its `markdown` is the document itself, its lines are the source's. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
