import type { Block } from "./Blocks.ts"

/** Characters that would begin a heading, a list or a quote where a line begins with them. */
const escapeStart = (line: string): string =>
  line.replace(/^(\s*)([#>]|[-+*](?=\s))/u, "$1\\$2").replace(/^(\s*\d+)([.)])(?=\s)/u, "$1\\$2")

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

const cellText = (text: string): string => oneLine(text).replaceAll("|", "\\|")

/** A table in Markdown; its first row becomes the head, because Markdown has no tables without one. */
export const markdownTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0) return ""
  const line = (row: ReadonlyArray<string>) =>
    `| ${Array.from({ length: width }, (_, i) => cellText(row[i] ?? "")).join(" | ")} |`
  const [head = [], ...rest] = rows
  return [line(head), `|${" --- |".repeat(width)}`, ...rest.map(line)].join("\n")
}

const codeFence = (text: string): string => {
  const longest = (text.match(/`+/gu) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 2)
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const markdownOfBlock = (block: Block): string => {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(Math.min(6, Math.max(1, block.level)))} ${oneLine(block.text)}`
    case "item":
      return `${"  ".repeat(block.depth)}${block.marker} ${oneLine(block.text)}`
    case "code":
      return codeFence(block.text)
    case "table":
      return markdownTable(block.rows)
    default:
      // Two spaces keep a line break of the document.
      return block.text.split("\n").map(escapeStart).join("  \n")
  }
}

/** Blocks as Markdown: an empty line between them, none between the items of a list. */
export const markdownOfBlocks = (blocks: ReadonlyArray<Block>): string => {
  const parts: Array<string> = []
  let before: Block | undefined
  for (const block of blocks) {
    const text = markdownOfBlock(block)
    if (text.trim() === "") continue
    if (before !== undefined) parts.push(before.kind === "item" && block.kind === "item" ? "\n" : "\n\n")
    parts.push(text)
    before = block
  }
  return parts.join("")
}
