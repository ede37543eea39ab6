import type { Table } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Block } from "./Blocks.ts"
import type { RawWord } from "../formats/FormatReader.ts"
import { markdownOfBlocks } from "./Markdown.ts"
import { boxAround, median } from "../tables/TableCells.ts"

/** The part of a paragraph's end that is examined: it may have no spaces at all. */
const longestWord = 80
/** The part of a word at the end of a line, and its hyphen; a soft hyphen is not part of the word. */
const parted = /^(.*\p{L})([-\u2010\u00ad])$/u
const firstWord = /^\S+/u
const lettersAhead = /^[\p{L}\p{M}]+/u

/** Before one of these, the hyphen replaces an omitted part of a word: `Ein- und Ausgang`, `pre- and post-war`. */
const suspending = new Set(["und", "oder", "bis", "sowie", "and", "or", "et", "ou"])
/** After one of these, the hyphen belongs to the word: `state-of-the-art`, `e-mail`, `self-made`. */
const keeping = /(?:^|[^\p{L}])(?:\p{L}|self)$|-(?:of|the|to|by|in|on|and|or|at|for|up|de|du|la|le|en|sur)$/iu
/** URLs and part numbers, in which a hyphen never comes from typesetting. */
const address = /[\d/@_.\\:]/u

/** The words of some lines, in lower case, those with hyphens whole. */
const wordsOf = (lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(
    lines.flatMap(
      (line) => line.toLowerCase().match(/\p{L}[\p{L}\p{M}]*(?:[-\u2010]\p{L}[\p{L}\p{M}]*)*/gu) ?? []
    )
  )

/**
 * Joins a line to the text before it, as a paragraph: with a space, or without one if a word was hyphenated at the end
 * of the line. Other lines with the word show whether the hyphen belongs to it; otherwise, usage decides.
 */
export const lineJoiner = (lines: ReadonlyArray<string>): ((before: string, line: string) => string) => {
  let words: ReadonlySet<string> | undefined
  const isWord = (word: string): boolean => (words ??= wordsOf(lines)).has(word.toLowerCase())

  const keepsHyphen = (head: string, line: string): boolean => {
    if (address.test(head) || !/^\p{Ll}/u.test(line)) return true
    const tail = lettersAhead.exec(line)?.[0] ?? ""
    const letters = /[\p{L}\p{M}]+$/u.exec(head)?.[0] ?? ""
    if (isWord(letters + tail)) return false
    return keeping.test(head) || isWord(`${letters}-${tail}`)
  }

  return (before, line) => {
    const end = before.slice(-longestWord)
    const [, head, hyphen] = parted.exec(end.slice(end.lastIndexOf(" ") + 1)) ?? []
    if (head === undefined || !/^[\p{L}\p{N}]/u.test(line)) return `${before} ${line}`
    if (hyphen === "\u00ad") return before.slice(0, -1) + line
    if (suspending.has(firstWord.exec(line)?.[0] ?? "")) return `${before} ${line}`
    return (keepsHyphen(head, line) ? before : before.slice(0, -1)) + line
  }
}

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
