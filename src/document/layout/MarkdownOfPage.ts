import type { Table } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Block } from "./Blocks.ts"
import type { RawWord } from "../formats/FormatReader.ts"
import { lineJoiner } from "./JoinLines.ts"
import { markdownOfBlocks } from "./Markdown.ts"
import { boxAround, median } from "../tables/TableCells.ts"

interface TextLine {
  readonly text: string
  readonly x: number
  readonly top: number
  readonly bottom: number
  /** The height of its letters. */
  readonly size: number
  readonly bold: boolean
  readonly upright: boolean
}

const lineOf = (words: ReadonlyArray<RawWord>): TextLine => {
  const box = boxAround(words)
  return {
    text: textOfWords(words),
    x: box.x,
    top: box.y,
    bottom: box.y + box.h,
    size: median(words.map(({ h }) => h)),
    bold: words.every((word) => word.bold === true),
    upright: words.every(({ turn }) => turn === 0)
  }
}

/** The size in which most letters of the page are set. */
const bodySize = (lines: ReadonlyArray<TextLine>): number => {
  const letters = new Map<number, number>()
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
  }
  return [...letters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 10
}

const hasWords = (text: string): boolean => /\p{L}{2,}/u.test(text)

/** 1–4 where a line is a heading: larger than the text around it, or bold and alone. */
const headingLevel = (line: TextLine, body: number, recognised: boolean): number | undefined => {
  const { bold, size, text, upright } = line
  if (!upright || text.length > 160 || !hasWords(text)) return undefined
  const ratio = size / body
  // Boxes of recognised words follow their letters: `ace` is lower than `Ag`.
  if (ratio >= (recognised ? 2 : 1.75)) return 1
  if (ratio >= (recognised ? 1.6 : 1.4)) return 2
  if (ratio >= 1.17 && !recognised) return 3
  const few = text.split(" ").length <= 12
  return bold && few && ratio > 0.9 && !/[.,;:]$/u.test(text) ? 4 : undefined
}

const item = /^([•·▪●○◦‣–—*\uf000-\uf0ff-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(\S.*)$/u

/** Whether a line continues the text of the line before it. */
const follows = (before: TextLine, line: TextLine): boolean => {
  const gap = line.top - before.bottom
  return (
    before.upright === line.upright &&
    gap < 0.65 * line.size &&
    gap > -line.size &&
    Math.abs(before.size - line.size) < 0.15 * line.size &&
    // A heading in bold often is right above its text, and a bold label right below it.
    before.bold === line.bold
  )
}

const isInside = (line: TextLine, { bbox }: Table): boolean => {
  const middle = (line.top + line.bottom) / 2
  return middle > bbox.y && middle < bbox.y + bbox.h && line.x >= bbox.x - 2 && line.x <= bbox.x + bbox.w
}

/** The blocks of a page, from the positions and sizes of its lines and the tables found on it. */
const blocksOf = (
  lines: ReadonlyArray<TextLine>,
  tables: ReadonlyArray<Table>,
  recognised: boolean
): ReadonlyArray<Block> => {
  const body = bodySize(lines)
  const joinLines = lineJoiner(lines.map(({ text }) => text))
  const blocks: Array<Block> = []
  const told = new Set<Table>()
  let before: TextLine | undefined
  for (const line of lines) {
    const table = tables.find((table) => isInside(line, table))
    if (table !== undefined) {
      if (!told.has(table)) {
        blocks.push({ kind: "table", rows: table.rows.map((row) => row.map((cell) => cell.text)) })
      }
      told.add(table)
      before = undefined
      continue
    }
    const level = headingLevel(line, body, recognised)
    const last = blocks.at(-1)
    const goesOn = before !== undefined && follows(before, line)
    const [, marker, text = ""] = item.exec(line.text) ?? []
    if (level !== undefined) {
      // A heading of two lines is one heading.
      if (goesOn && last?.kind === "heading" && last.level === level) {
        blocks[blocks.length - 1] = { ...last, text: joinLines(last.text, line.text) }
      } else blocks.push({ kind: "heading", level, text: line.text })
    } else if (marker !== undefined && line.upright) {
      blocks.push({
        kind: "item",
        depth: 0,
        marker: /\d/u.test(marker) ? marker.replace("(", "") : "-",
        text
      })
    } else if (goesOn && (last?.kind === "paragraph" || last?.kind === "item")) {
      blocks[blocks.length - 1] = { ...last, text: joinLines(last.text, line.text) }
    } else blocks.push({ kind: "paragraph", text: line.text })
    before = line
  }
  return blocks
}

/**
 * A page as Markdown: headings by the size and weight of their letters, lists by their markers, the tables that were
 * found, and paragraphs of lines that follow each other closely.
 */
export const markdownOfPage = (
  lines: ReadonlyArray<ReadonlyArray<RawWord>>,
  tables: ReadonlyArray<Table>
): string => {
  const recognised = lines.some((words) => words.some((word) => word.confidence !== undefined))
  return markdownOfBlocks(blocksOf(lines.filter((words) => words.length > 0).map(lineOf), tables, recognised))
}
