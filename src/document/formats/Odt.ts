import type { Block } from "../layout/Blocks.ts"
import { trimmedRows } from "../layout/Blocks.ts"
import { blocksReader, type BlockDocument } from "../layout/BlocksReader.ts"
import { type FormatReader, NotReadable } from "./FormatReader.ts"
import { type Attributes, attribute, readXml, type XmlListener } from "./Xml.ts"
import { openArchive } from "./Zip.ts"

interface Paragraph {
  text: string
  readonly level?: number
}

interface OpenTable {
  readonly rows: Array<Array<string>>
  /** The paragraphs of the cell that is being read. */
  cell: Array<string>
  repeated: number
}

/** What is in the document but not on its pages: comments, removed text, the description of a picture. */
const unseen = new Set(["annotation", "tracked-changes", "title", "desc", "forms", "scripts"])
/** Rows and cells may claim to be repeated a million times. */
const mostRepeated = 64

const times = (attributes: Attributes, name: string): number =>
  Math.min(mostRepeated, Math.max(1, Number(attribute(attributes, name)) || 1))

/** Reads the paragraphs, lists and tables of one part of an OpenDocument text. */
class OdtBody implements XmlListener {
  readonly blocks: Array<Block> = []
  /** Text boxes are inside a paragraph and hold paragraphs. */
  readonly #paragraphs: Array<Paragraph> = []
  readonly #tables: Array<OpenTable> = []
  #lists = 0
  #unseen = 0

  readonly open = (name: string, attributes: Attributes): void => {
    if (this.#unseen > 0 || unseen.has(name)) {
      this.#unseen++
      return
    }
    const paragraph = this.#paragraphs.at(-1)
    const table = this.#tables.at(-1)
    if (name === "p") this.#paragraphs.push({ text: "" })
    else if (name === "h")
      this.#paragraphs.push({ text: "", level: Math.min(6, times(attributes, "outline-level")) })
    else if (name === "list") this.#lists++
    else if (name === "table") this.#tables.push({ rows: [], cell: [], repeated: 1 })
    else if (name === "table-row") table?.rows.push([])
    else if (name === "table-cell" && table !== undefined)
      table.repeated = times(attributes, "number-columns-repeated")
    else if (name === "covered-table-cell") table?.rows.at(-1)?.push("")
    else if (paragraph !== undefined && name === "tab") paragraph.text += "\t"
    else if (paragraph !== undefined && name === "line-break") paragraph.text += "\n"
    else if (paragraph !== undefined && name === "s") paragraph.text += " "
  }

  readonly text = (text: string): void => {
    const paragraph = this.#paragraphs.at(-1)
    if (this.#unseen === 0 && paragraph !== undefined) paragraph.text += text.replace(/\s+/gu, " ")
  }

  readonly close = (name: string): void => {
    if (this.#unseen > 0) {
      this.#unseen--
      return
    }
    if (name === "p" || name === "h") this.#endParagraph()
    else if (name === "list") this.#lists--
    else if (name === "table-cell") this.#endCell()
    else if (name === "table") this.#endTable()
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    const text = paragraph?.text.replace(/[ \t]+/gu, " ").trim() ?? ""
    if (text === "") return
    const table = this.#tables.at(-1)
    const level = paragraph?.level
    if (table !== undefined) table.cell.push(text)
    else if (level !== undefined) this.blocks.push({ kind: "heading", level, text })
    else if (this.#lists > 0)
      this.blocks.push({ kind: "item", depth: Math.min(8, this.#lists - 1), marker: "-", text })
    else this.blocks.push({ kind: "paragraph", text })
  }

  #endCell(): void {
    const table = this.#tables.at(-1)
    const text = table?.cell.join("\n") ?? ""
    for (let i = 0; i < (table?.repeated ?? 0); i++) table?.rows.at(-1)?.push(text)
    if (table !== undefined) table.cell = []
  }

  #endTable(): void {
    const table = this.#tables.pop()
    if (table === undefined) return
    const outer = this.#tables.at(-1)
    const rows = trimmedRows(table.rows)
    if (outer !== undefined)
      for (const row of rows) outer.cell.push(row.filter((cell) => cell !== "").join(" "))
    else if (rows.length > 0) this.blocks.push({ kind: "table", rows })
  }
}

const blocksOf = (part: Uint8Array): ReadonlyArray<Block> => {
  const body = new OdtBody()
  readXml(part, body)
  return body.blocks
}

const read = async (bytes: Uint8Array): Promise<BlockDocument> => {
  const archive = await openArchive(bytes)
  const content = await archive.read("content.xml")
  if (content === undefined) throw new NotReadable("The OpenDocument file has no text part.")
  // Headers and footers are part of the styles.
  const styles = await archive.read("styles.xml")
  const blocks = [...(styles === undefined ? [] : blocksOf(styles)), ...blocksOf(content)]
  return { pages: [() => ({ blocks })] }
}

/** The reader for OpenDocument texts (.odt): text, headings, lists, tables, headers and footers, on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
