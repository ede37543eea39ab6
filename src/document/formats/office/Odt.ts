import type { Block } from "../../layout/Blocks.ts"
import { blocksReader, type BlockDocument } from "../../layout/BlocksReader.ts"
import { cellCount, OpenTables } from "../../layout/OpenTables.ts"
import { type FormatReader, NotReadable } from "../FormatReader.ts"
import { type Attributes, attribute, readXml, type XmlListener } from "../xml/Xml.ts"
import { openArchive } from "./Zip.ts"

interface Paragraph {
  text: string
  readonly level?: number
}

/** Content that is not on the pages: comments, removed text, the description of a picture. */
const unseen = new Set([
  "annotation",
  "tracked-changes",
  "title",
  "desc",
  "forms",
  "scripts",
  "covered-table-cell"
])
/** Reads the paragraphs, lists and tables of one part of an OpenDocument text. */
class OdtBody implements XmlListener {
  readonly blocks: Array<Block> = []
  /** Text boxes are inside a paragraph and hold paragraphs. */
  readonly #paragraphs: Array<Paragraph> = []
  readonly #tables = new OpenTables()
  /** How often the current cell is repeated; it holds no table of its own then. */
  #repeated = 1
  #lists = 0
  #unseen = 0

  readonly open = (name: string, attributes: Attributes): void => {
    // A cell covered by the one above stays empty; its content is not shown.
    if (this.#unseen === 0 && name === "covered-table-cell")
      this.#tables.endCell(cellCount(attribute(attributes, "number-columns-repeated")))
    if (this.#unseen > 0 || unseen.has(name)) {
      this.#unseen++
      return
    }
    const paragraph = this.#paragraphs.at(-1)
    if (name === "p") this.#paragraphs.push({ text: "" })
    else if (name === "h")
      this.#paragraphs.push({
        text: "",
        level: Math.min(6, cellCount(attribute(attributes, "outline-level")))
      })
    else if (name === "list") this.#lists++
    else if (name === "table") this.#tables.begin()
    else if (name === "table-row") this.#tables.beginRow()
    else if (name === "table-cell")
      this.#repeated = cellCount(attribute(attributes, "number-columns-repeated"))
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
    const level = paragraph?.level
    if (this.#tables.add(text)) return
    if (level !== undefined) this.blocks.push({ kind: "heading", level, text })
    else if (this.#lists > 0)
      this.blocks.push({ kind: "item", depth: Math.min(8, this.#lists - 1), marker: "-", text })
    else this.blocks.push({ kind: "paragraph", text })
  }

  #endCell(): void {
    this.#tables.endCell(this.#repeated)
    this.#repeated = 1
  }

  #endTable(): void {
    const table = this.#tables.end()
    if (table !== undefined && table.rows.length > 0) this.blocks.push({ kind: "table", rows: table.rows })
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

/** The reader for OpenDocument text (.odt): text, headings, lists, tables, headers and footers, on one page. */
export const load = async (): Promise<FormatReader> => blocksReader(read)
