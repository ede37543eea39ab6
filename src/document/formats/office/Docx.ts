import { type Block, trimmedRows } from "../../layout/Blocks.ts"
import { type BlockDocument, blocksReader } from "../../layout/BlocksReader.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { DocxNumbering } from "./DocxNumbering.ts"
import { type DocxStyle, readStyles } from "./DocxStyles.ts"
import { mainPart, relationsOf } from "./Package.ts"
import { openArchive } from "./Zip.ts"
import { cellCount, OpenTables } from "../../layout/OpenTables.ts"
import { attribute, type Attributes, isOn, readXml, type XmlListener } from "../xml/Xml.ts"

/** A paragraph whose text was set in columns by tabs. */
interface TabbedLine {
  /** Where its tab stops are; columns are aligned in paragraphs with the same. */
  readonly stops: string
  readonly cells: ReadonlyArray<string>
}

/** The lines in columns among the paragraphs of a document. */
type TabbedLines = ReadonlyMap<Block, TabbedLine>

/** Parts a paragraph at its tabs; undefined where it has no stops of its own, or words in fewer than two parts. */
const tabbedLine = (text: string, stops: string): TabbedLine | undefined => {
  if (stops === "" || text.includes("\n")) return undefined
  const cells = text.split("\t").map((cell) => cell.replace(/ +/gu, " ").trim())
  return cells.filter((cell) => cell !== "").length < 2 ? undefined : { stops, cells }
}

/** Lines one after another with the same tab stops are a table: people set tables in letters so. */
const withTabbedTables = (blocks: ReadonlyArray<Block>, tabbed: TabbedLines): ReadonlyArray<Block> => {
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

interface Paragraph {
  text: string
  /** The positions of its tab stops. */
  stops: string
  style?: string
  numId?: string
  depth?: number
  level?: number
}

/** Content that is not on the pages: removed text, the fallback of a drawing, field codes. */
const unseen = new Set(["del", "moveFrom", "Fallback", "instrText", "delText"])

/** The parts of a document that paragraphs refer to. */
interface DocxContext {
  readonly styles: ReadonlyMap<string, DocxStyle>
  readonly numbering: DocxNumbering
}

/** Reads the paragraphs, lists and tables of one part of a Word document. */
class DocxBody implements XmlListener {
  readonly blocks: Array<Block> = []
  readonly tabbed = new Map<Block, TabbedLine>()
  readonly #context: DocxContext
  /** Text boxes are inside a paragraph and hold paragraphs. */
  readonly #paragraphs: Array<Paragraph> = []
  readonly #tables = new OpenTables()
  #unseen = 0
  #hidden = false
  #inRun = false
  #inText = false
  #inProperties = 0

  constructor(context: DocxContext) {
    this.#context = context
  }

  readonly open = (name: string, attributes: Attributes): void => {
    if (this.#unseen > 0 || unseen.has(name)) {
      this.#unseen++
      return
    }
    const paragraph = this.#paragraphs.at(-1)
    switch (name) {
      case "p":
        this.#paragraphs.push({ text: "", stops: "" })
        return
      case "pPr":
        this.#inProperties++
        return
      case "r":
        this.#inRun = true
        this.#hidden = false
        return
      case "vanish":
        if (this.#inRun) this.#hidden = isOn(attributes)
        return
      case "t":
        this.#inText = !this.#hidden
        return
      case "tbl":
        this.#tables.begin()
        return
      case "tr":
        this.#tables.beginRow()
        return
      case "gridSpan":
        this.#tables.spanCell(cellCount(attribute(attributes, "val")))
        return
      default:
        if (paragraph !== undefined) this.#inParagraph(paragraph, name, attributes)
    }
  }

  #inParagraph(paragraph: Paragraph, name: string, attributes: Attributes): void {
    const value = attribute(attributes, "val") ?? ""
    if (this.#inProperties > 0) {
      if (name === "pStyle") paragraph.style = value
      else if (name === "numId") paragraph.numId = value
      else if (name === "ilvl") paragraph.depth = Math.min(8, Number(value) || 0)
      else if (name === "tab") paragraph.stops += ` ${attribute(attributes, "pos") ?? ""}`
      else if (name === "outlineLvl" && Number(value) < 9) paragraph.level = Number(value) + 1
    } else if (name === "tab") paragraph.text += "\t"
    else if (name === "br" || name === "cr") paragraph.text += "\n"
    else if (name === "noBreakHyphen") paragraph.text += "-"
  }

  readonly text = (text: string): void => {
    const paragraph = this.#paragraphs.at(-1)
    if (this.#inText && this.#unseen === 0 && paragraph !== undefined) paragraph.text += text
  }

  readonly close = (name: string): void => {
    if (this.#unseen > 0) {
      this.#unseen--
      return
    }
    if (name === "t") this.#inText = false
    else if (name === "r") this.#inRun = false
    else if (name === "pPr") this.#inProperties--
    else if (name === "p") this.#endParagraph()
    else if (name === "tc") this.#tables.endCell()
    else if (name === "tbl") this.#endTable()
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    if (paragraph === undefined) return
    const style = this.#context.styles.get(paragraph.style ?? "") ?? {}
    const numId = paragraph.numId ?? style.numId
    const depth = paragraph.depth ?? style.depth ?? 0
    const text = paragraph.text.replace(/[ \t]+/gu, " ").trim()
    if (text === "") return
    const marker = numId === undefined ? undefined : this.#context.numbering.next(numId, depth)
    const level = paragraph.level ?? style.level
    const numbered = marker === undefined || marker === "" ? text : `${marker} ${text}`
    if (this.#tables.add(numbered)) return
    if (level !== undefined) {
      this.blocks.push({ kind: "heading", level, text: marker === "-" ? text : numbered })
    } else if (marker !== undefined && marker !== "") this.blocks.push({ kind: "item", depth, marker, text })
    else {
      const block: Block = { kind: "paragraph", text }
      const line = tabbedLine(paragraph.text, paragraph.stops)
      if (line !== undefined) this.tabbed.set(block, line)
      this.blocks.push(block)
    }
  }

  #endTable(): void {
    const table = this.#tables.end()
    if (table !== undefined && table.rows.length > 0) this.blocks.push({ kind: "table", rows: table.rows })
  }
}

/** The blocks of one part (the body, a header, the footnotes) of a Word document. */
const readDocxPart = (bytes: Uint8Array, context: DocxContext): ReadonlyArray<Block> => {
  const body = new DocxBody(context)
  readXml(bytes, body)
  return withTabbedTables(body.blocks, body.tabbed)
}

/** The same header usually is on the first, the odd and the even pages. */
const withoutRepeats = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const seen = new Set<string>()
  return blocks.filter((block) => {
    const key = JSON.stringify(block)
    return !seen.has(key) && seen.add(key)
  })
}

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const archive = await openArchive(bytes)
  const main = await mainPart(archive, "word/document.xml")
  const body = await archive.read(main)
  if (body === undefined) throw new NotReadable("The Word document has no text part.")
  const relations = await relationsOf(archive, main)
  const part = async (type: string) => {
    const target = relations.find((relation) => relation.type === type)?.target
    return target === undefined ? undefined : archive.read(target)
  }
  const styles = readStyles(await part("styles"))
  const numbering = new DocxNumbering(await part("numbering"))
  const all = async (...types: ReadonlyArray<string>): Promise<ReadonlyArray<Block>> => {
    const blocks: Array<Block> = []
    for (const { target, type } of relations) {
      const found = types.includes(type) ? await archive.read(target) : undefined
      if (found !== undefined) blocks.push(...readDocxPart(found, { styles, numbering }))
    }
    return withoutRepeats(blocks)
  }
  const blocks = [
    ...(await all("header")),
    ...readDocxPart(body, { styles, numbering }),
    ...(await all("footnotes", "endnotes")),
    ...(await all("footer"))
  ]
  return { pages: [() => ({ blocks })] }
}

/** The reader for Word documents: their text, headings, lists, tables, headers, footers and notes, on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
